package io.mcpbridge.upstream;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.upstream.health.Pulse;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.listening.Audible;
import io.mcpbridge.upstream.listening.ListenTerms;
import io.mcpbridge.upstream.listening.Listening;
import io.mcpbridge.upstream.listening.ResourceSubscriptions;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.Optional;

/**
 * Gives each new session of a server what the one before it had: what is listened to, and what is logged; and keeps
 * watching whether it lives. Any thread may use it; nothing waits.
 */
final class SessionUpkeep {
    private final Environment environment;
    private final boolean reconnects;
    private final Duration keepAlive;
    private final Duration patience;
    private final ResourceSubscriptions subscriptions;

    SessionUpkeep(UpstreamParts parts, ResourceSubscriptions subscriptions) {
        this.environment = parts.environment();
        this.reconnects = parts.reconnects();
        this.keepAlive = parts.settings().reconnect().keepAlive();
        this.patience = parts.settings().timeout();
        this.subscriptions = subscriptions;
    }

    /** A session is about to take calls. */
    void prepare(SessionKey key, UpstreamSession session, ServerProfile profile) {
        if (profile.version().era() == Era.MODERN) {
            listen(key, session, profile);
        } else if (profile.declares("logging")) {
            session.attendants().logLevel().begin();
        }
    }

    /** A session is ready. */
    void begin(SessionSlot slot, UpstreamSession session, ServerProfile profile) {
        watch(slot, session);
        if (profile.version().era() != Era.MODERN) {
            subscriptions.restore(slot.key());
        }
    }

    /** A modern server over HTTP has no session that could break unnoticed, nor one that could be ended. */
    private void watch(SessionSlot slot, UpstreamSession session) {
        if (!reconnects || keepAlive.isZero() || (session.isModern() && !session.sharesStream())) {
            return;
        }
        var method = session.isModern() ? Methods.SERVER_DISCOVER : Methods.PING;
        var rhythm = new Pulse.Rhythm(method, keepAlive, patience);
        session.attendants()
                .watch(new Pulse(session, new SessionPulse(session), slot.caller(), rhythm, environment.timekeeper()));
    }

    private void listen(SessionKey key, UpstreamSession session, ServerProfile profile) {
        var terms = new ListenTerms(profile, patience);
        var listening = new Listening(session, new SessionAudible(session), environment, terms);
        session.attendants().listen(listening, subscriptions.wanted(key));
    }

    /** Whether somebody subscribed in this session, which a modern server has for all callers of a principal. */
    boolean isListenedTo(SessionKey key, Optional<UpstreamSession> session) {
        var isModern = session.filter(UpstreamSession::isModern).isPresent();
        return subscriptions.isUsed(isModern ? key::hasSamePrincipal : key::equals);
    }

    /** The server tells that a resource has changed; false if nobody wants to hear it. */
    boolean updated(SessionKey key, UpstreamSession session, Notification notification) {
        return subscriptions.updated(session.isModern() ? key::hasSamePrincipal : key::equals, notification);
    }

    /** What is heard in one session. */
    private record SessionAudible(UpstreamSession session) implements Audible {

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
