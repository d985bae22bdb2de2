package io.mcpbridge.gateway;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.downstream.Clients;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tells every client that tools changed, once for changes that come close together. Any thread. */
final class ToolsAnnouncer implements Runnable {
    /** How long a change waits for others, as when several servers come back at once. */
    static final Duration PAUSE = Duration.ofMillis(50);

    private final Clients clients;
    private final Timekeeper timekeeper;
    private final AtomicBoolean isPending = new AtomicBoolean();

    ToolsAnnouncer(Clients clients, Timekeeper timekeeper) {
        this.clients = clients;
        this.timekeeper = timekeeper;
    }

    @Override
    public void run() {
        if (isPending.compareAndSet(false, true)) {
            timekeeper.schedule(PAUSE, this::announce);
        }
    }

    private void announce() {
        isPending.set(false);
        clients.tell(Notification.of(Methods.TOOLS_LIST_CHANGED));
    }
}
