package io.mcpbridge.routing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Tells the stages of one server that something it said before may be otherwise now. Any thread. */
final class StageChanges {
    /** What stands for a new connection, which no notification of the server tells of. */
    private static final String RECONNECTED = "";

    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    void listen(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** The server sent a notification of this method. */
    void notified(String method) {
        listeners.forEach(listener -> listener.accept(method));
    }

    void reconnected() {
        notified(RECONNECTED);
    }
}
