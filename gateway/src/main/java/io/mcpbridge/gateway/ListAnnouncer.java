package io.mcpbridge.gateway;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.downstream.Clients;
import io.mcpbridge.message.Notification;
import io.mcpbridge.upstream.lists.ListKind;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Tells every client which lists changed, once per kind for changes that come close together. Any thread. */
final class ListAnnouncer implements Consumer<Notification> {
    /** How long a change waits for others, as when several servers come back at once. */
    static final Duration PAUSE = Duration.ofMillis(50);

    private final Clients clients;
    private final Timekeeper timekeeper;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();

    ListAnnouncer(Clients clients, Timekeeper timekeeper) {
        this.clients = clients;
        this.timekeeper = timekeeper;
    }

    @Override
    public void accept(Notification changed) {
        if (pending.add(changed.method())) {
            timekeeper.schedule(PAUSE, () -> announce(changed));
        }
    }

    /** Every list may have changed, as when servers came or went. */
    void acceptAll() {
        accept(ListKind.TOOLS.changed());
        accept(ListKind.RESOURCES.changed());
        accept(ListKind.PROMPTS.changed());
    }

    private void announce(Notification changed) {
        pending.remove(changed.method());
        clients.tell(changed);
    }
}
