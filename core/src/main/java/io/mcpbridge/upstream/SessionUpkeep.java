package io.mcpbridge.upstream;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.Notification;

/**
 * Gives each new session of a server what the one before it had: what is listened to, and what is logged. Any thread
 * may use it; nothing waits.
 */
final class SessionUpkeep {
    private final Upstream upstream;
    private final ResourceSubscriptions subscriptions;

    SessionUpkeep(Upstream upstream, ResourceSubscriptions subscriptions) {
        this.upstream = upstream;
        this.subscriptions = subscriptions;
    }

    /** A session is ready. */
    void begin(SessionKey key, UpstreamSession session, ServerProfile profile) {
        if (profile.version().era() == Era.MODERN) {
            session.listen(
                    new Listening(session, session.listener(), upstream.environment(), profile),
                    subscriptions.wanted(key));
            return;
        }
        if (profile.declares("logging")) {
            session.logLevel().begin();
        }
        subscriptions.restore(key);
    }

    /** The server tells that a resource has changed; false if nobody wants to hear it. */
    boolean updated(SessionKey key, UpstreamSession session, Notification notification) {
        return subscriptions.updated(session.isModern() ? key::hasSamePrincipal : key::equals, notification);
    }
}
