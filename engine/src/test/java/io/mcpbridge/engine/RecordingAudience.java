package io.mcpbridge.engine;

import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.message.Notification;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client that listens and can leave. */
final class RecordingAudience implements NotificationSink {
    private final List<Notification> heard = new CopyOnWriteArrayList<>();
    private final List<Runnable> whenGone = new CopyOnWriteArrayList<>();

    @Override
    public void send(Notification notification) {
        heard.add(notification);
    }

    @Override
    public Cancellation.Registration onClosed(Runnable action) {
        whenGone.add(action);
        return () -> whenGone.remove(action);
    }

    /** How many actions wait for it to leave. */
    int awaited() {
        return whenGone.size();
    }

    List<Notification> heard() {
        return List.copyOf(heard);
    }

    void leave() {
        whenGone.forEach(Runnable::run);
    }
}
