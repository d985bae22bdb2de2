package io.mcpbridge.engine;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.message.Notification;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Sends {@code list_changed} notifications to all clients, one per kind for changes in quick succession. Thread-safe.
 */
public final class ListChangeNotifier implements Consumer<Notification> {
    /** The time in which changes are merged, such as those of several servers that reconnect. */
    static final Duration MERGE_WINDOW = Duration.ofMillis(50);

    private final Timekeeper timekeeper;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private volatile Consumer<Notification> clients = changed -> {};

    public ListChangeNotifier(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** Sets what sends the notifications to all clients. */
    public void sendTo(Consumer<Notification> newClients) {
        clients = newClients;
    }

    @Override
    public void accept(Notification changed) {
        if (pending.add(changed.method())) {
            timekeeper.schedule(MERGE_WINDOW, () -> send(changed));
        }
    }

    /** Notifies clients of all lists, after servers were added or removed. */
    public void notifyAllLists() {
        accept(ListKind.TOOLS.changed());
        accept(ListKind.RESOURCES.changed());
        accept(ListKind.PROMPTS.changed());
    }

    private void send(Notification changed) {
        pending.remove(changed.method());
        clients.accept(changed);
    }
}
