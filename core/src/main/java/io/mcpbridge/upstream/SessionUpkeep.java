package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Notification;
import java.time.Duration;

/**
 * Gives each new session of a server what the one before it had: what is listened to, and what is logged. A session
 * that somebody listens on is made again by itself when it is lost. Any thread may use it; nothing waits.
 */
final class SessionUpkeep {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

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

    /** A session was lost. */
    void lost(SessionKey key) {
        again(key, FIRST_PAUSE);
    }

    private void again(SessionKey key, Duration pause) {
        if (upstream.isClosed() || !upstream.reconnects() || subscriptions.mourner(key).isEmpty()) {
            return;
        }
        upstream.environment().timekeeper().schedule(pause, () -> subscriptions
                .mourner(key)
                .filter(caller -> !upstream.isConnected(caller))
                .ifPresent(caller -> connect(caller, key, pause)));
    }

    private void connect(Caller caller, SessionKey key, Duration pause) {
        upstream.connectOwn(caller, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {
                if (outcome instanceof Outcome.Failed) {
                    var doubled = pause.multipliedBy(2);
                    again(key, doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE);
                }
            }
        });
    }

    /** The server tells that a resource has changed; false if nobody wants to hear it. */
    boolean updated(SessionKey key, UpstreamSession session, Notification notification) {
        return subscriptions.updated(session.isModern() ? key::hasSamePrincipal : key::equals, notification);
    }
}
