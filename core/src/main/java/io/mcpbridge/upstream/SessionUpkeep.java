package io.mcpbridge.upstream;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.listening.Listening;
import io.mcpbridge.upstream.listening.ResourceSubscriptions;
import io.mcpbridge.upstream.session.SessionKey;

/**
 * Gives each new session of a server what the one before it had: what is listened to, and what is logged. Any thread
 * may use it; nothing waits.
 */
final class SessionUpkeep {
    private final Environment environment;
    private final ResourceSubscriptions subscriptions;

    SessionUpkeep(Environment environment, ResourceSubscriptions subscriptions) {
        this.environment = environment;
        this.subscriptions = subscriptions;
    }

    /** A session is ready. */
    void begin(SessionKey key, UpstreamSession session, ServerProfile profile) {
        if (profile.version().era() == Era.MODERN) {
            session.listen(
                    new Listening(session, new SessionAudible(session), environment, profile),
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

    /** What is heard in one session. */
    private record SessionAudible(UpstreamSession session) implements Listening.Audible {

        @Override
        public void notified(Notification notification) {
            session.listener().notified(session, notification);
        }

        @Override
        public void dropped(String what) {
            session.listener().dropped(what);
        }
    }
}
