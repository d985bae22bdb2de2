package io.mcpbridge.transport.unix;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Who is in, and how many connections each user has. Any thread may use it. */
final class Visitors {
    private final Set<ClientSocket> clients = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<String, Integer> perUser = new ConcurrentHashMap<>();
    private final int maxPerUser;

    Visitors(int maxPerUser) {
        this.maxPerUser = maxPerUser;
    }

    /** Counts one more connection of the user; false if there are enough. */
    boolean enter(String user) {
        var counted = new boolean[1];
        perUser.compute(user, (name, count) -> {
            int now = count == null ? 0 : count;
            counted[0] = now < maxPerUser;
            return counted[0] ? Integer.valueOf(now + 1) : count;
        });
        return counted[0];
    }

    /** Counts one less. */
    void leave(String user) {
        perUser.computeIfPresent(user, (name, count) -> count > 1 ? count - 1 : null);
    }

    void add(ClientSocket client) {
        clients.add(client);
    }

    /** Takes the client out; false if it was out already. */
    boolean remove(ClientSocket client) {
        return clients.remove(client);
    }

    Set<ClientSocket> all() {
        return Set.copyOf(clients);
    }

    int count() {
        return clients.size();
    }
}
