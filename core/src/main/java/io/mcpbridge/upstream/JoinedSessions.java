package io.mcpbridge.upstream;

import io.mcpbridge.upstream.session.SessionKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Whose sessions are used by callers who found no room for one of their own. Any thread. */
final class JoinedSessions {
    private final Map<SessionKey, SessionKey> hosts = new ConcurrentHashMap<>();

    /** Joins the best there is among {@code keys} for callers with this key: one of the same principal, and of the same kind. */
    Optional<SessionKey> join(SessionKey key, Collection<SessionKey> keys) {
        var host = keys.stream()
                .filter(key::hasSamePrincipal)
                .min(Comparator.comparing(
                                (SessionKey each) -> !each.capabilities().equals(key.capabilities()))
                        .thenComparing(SessionKey::seat)
                        .thenComparing(SessionKey::capabilities));
        host.ifPresent(found -> hosts.put(key, found));
        return host;
    }

    /** Whose session callers with this key have joined. */
    Optional<SessionKey> host(SessionKey key) {
        return Optional.ofNullable(hosts.get(key));
    }

    /** Whether somebody has joined this one. */
    boolean isHost(SessionKey key) {
        return !hosts.isEmpty() && hosts.containsValue(key);
    }

    /** Its callers have one of their own, or need none. */
    void leave(SessionKey key) {
        hosts.remove(key);
    }

    /** The session with this key is gone. */
    void gone(SessionKey key) {
        hosts.values().removeIf(key::equals);
    }
}
