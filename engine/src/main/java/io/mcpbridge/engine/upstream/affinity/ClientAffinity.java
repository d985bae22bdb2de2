package io.mcpbridge.engine.upstream.affinity;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.upstream.affinity.LeaseTable.Acquired;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallContext;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Sends each call over the session of its client. Any thread; nothing waits.
 *
 * <p>On a shared stream, a server of the legacy era does not say which client a message is for. So there each client that
 * can be asked something leases a session of its own, and all others share one. The first client gets the common session,
 * each further one another. If there is no room for that, it shares the common one, and is asked only while no other
 * client has calls there.
 */
public final class ClientAffinity {
    /** How long a session stays without a client; the next client that comes by then gets it. */
    public static final Duration GRACE_PERIOD = Duration.ofSeconds(60);

    private static final String NOTHING = "{}";

    /** Whether messages from the server identify the client they are for. */
    enum Attribution {
        UNKNOWN,
        /** Each message belongs to the stream of one request. */
        PER_REQUEST,
        /** The server is of the legacy era, and all clients of a session share one stream. */
        AMBIGUOUS;

        private static Attribution of(Session session) {
            return session.identifiesClients() ? PER_REQUEST : AMBIGUOUS;
        }
    }

    /** A session of the server. Any thread. */
    public interface Session {

        /** Whether each message of the server shows the client it is for. */
        boolean identifiesClients();

        /** Whether unsolicited messages of the server may belong to another client than {@code client}. */
        boolean mayConcernOthersThan(String client);

        /** A client has reconnected under another name. */
        void renameClient(String from, String to);

        /** A client has come that the server may ask outside calls, or it is known now that none will. */
        void ownerChanged();

        /** Sends a notification or a response without waiting for it. */
        void sendOneWay(Message message);
    }

    /** The sessions of the server. Any thread; nothing waits. */
    public interface Sessions {

        /**
         * Makes a place for a session, for which another one may have to end, and keeps it.
         *
         * @return releases the place; empty if there is no room
         */
        Optional<Runnable> reserve(SessionKey key, Caller caller);

        /** The session with this key, if it is open. */
        Optional<Session> session(SessionKey key);

        /** Whether callers with another key share this session, as there was no room for their own. */
        boolean isShared(SessionKey key);

        /** Whether there is a place for any other session. */
        boolean hasOtherThan(SessionKey key);

        /** Whether a client has subscribed to something in this session. */
        boolean isSubscribed(SessionKey key);

        /** Ends a session, unless it is in use or the last one; whether it is gone. */
        boolean evict(SessionKey key);

        /** Opens the session with this key; {@code reply} receives the result. */
        void connect(SessionKey key, Call call, Reply reply);

        /** Sends a call over the session with this key, or the one that is shared instead. */
        void send(SessionKey key, Call call, Reply reply);
    }

    private final Sessions sessions;
    private final ServerSettings settings;
    private final LeaseTable leases;
    private volatile Attribution attribution = Attribution.UNKNOWN;

    /** Makes it without any lease. */
    public ClientAffinity(Sessions sessions, ServerSettings settings, Timekeeper timekeeper) {
        this.sessions = sessions;
        this.settings = settings;
        this.leases = new LeaseTable(sessions, settings.sessions(), timekeeper);
    }

    /** Sends one attempt of a call. */
    public void send(CallContext attempt) {
        if (!concerns(attempt.caller())) {
            sessions.send(key(attempt.caller()), attempt, attempt);
            return;
        }
        var acquired = acquire(attempt.caller());
        if (acquired.isEmpty() && attribution == Attribution.UNKNOWN) {
            connect(attempt, attempt, () -> sendConnected(attempt));
        } else {
            send(attempt, acquired);
        }
    }

    /** The attribution is known now. */
    private void sendConnected(CallContext attempt) {
        send(attempt, concerns(attempt.caller()) ? acquire(attempt.caller()) : Optional.empty());
    }

    private void send(CallContext attempt, Optional<Acquired> acquired) {
        if (acquired.isEmpty()) {
            sessions.send(common(attempt.caller()), attempt, attempt);
            return;
        }
        var lease = acquired.get().lease();
        attempt.onComplete(outcome -> leases.endCall(lease));
        try {
            sessions.send(lease.key(), attempt, attempt);
        } finally {
            acquired.get().placed().run();
        }
    }

    /**
     * Finds the session of the caller's client without a call, and runs {@code then}; {@code reply} receives the failure if
     * the server cannot be reached. Requests of the modern era need no session.
     */
    public void findSession(Call call, Reply reply, Runnable then) {
        if (call.caller().era() == Era.MODERN || !concerns(call.caller())) {
            then.run();
            return;
        }
        var acquired = acquire(call.caller());
        acquired.ifPresent(each -> {
            each.placed().run();
            leases.endCall(each.lease());
        });
        if (acquired.isEmpty() && attribution == Attribution.UNKNOWN) {
            connect(call, reply, () -> findSession(call, reply, then));
        } else {
            then.run();
        }
    }

    /** Opens the session of the caller, which shows the attribution. */
    private void connect(Call call, Reply reply, Runnable then) {
        sessions.connect(key(call.caller()), call, outcome -> {
            if (outcome instanceof Outcome.Failed) {
                reply.done(outcome);
            } else {
                then.run();
            }
        });
    }

    private Optional<Acquired> acquire(Caller caller) {
        return leases.acquire(common(caller), caller, attribution);
    }

    /** Whether it matters which session this caller's client has, as far as is known. */
    private boolean concerns(Caller caller) {
        return attribution != Attribution.PER_REQUEST
                && !caller.session().isEmpty()
                && !caller.promised().equals(NOTHING);
    }

    /** The session of this caller's client, else the common one. */
    public SessionKey key(Caller caller) {
        var common = common(caller);
        return leases.find(common, caller.home()).orElse(common);
    }

    private SessionKey common(Caller caller) {
        return SessionKey.of(caller, settings);
    }

    /** A session is open, which shows the attribution. */
    public void connected(Session session) {
        attribution = Attribution.of(session);
        session.ownerChanged();
        if (attribution == Attribution.AMBIGUOUS) {
            leases.sessionAdded();
        }
    }

    /** The sessions that no client has any longer, which are evicted first. */
    public Set<SessionKey> unused() {
        return attribution == Attribution.AMBIGUOUS ? leases.unused() : Set.of();
    }

    /** The client that is asked what belongs to no call in the session with this key. */
    public SessionOwner owner(SessionKey key) {
        return switch (attribution) {
            case UNKNOWN -> SessionOwner.awaited();
            case PER_REQUEST -> SessionOwner.none("no call is under way here that it could belong to");
            case AMBIGUOUS -> leases.owner(key);
        };
    }

    /** The session that this caller's client has for itself. */
    public Optional<SessionKey> ownSession(Caller caller) {
        var key = key(caller);
        return owner(key)
                .client()
                .filter(owner -> owner.session().equals(caller.session()))
                .map(owner -> key);
    }

    /** Gives the common session to the client that lists what the server has, if no other client has it. */
    public void claim(Caller caller) {
        if (concerns(caller) && ClientIdentity.of(caller).canBeAskedAnyTime()) {
            leases.claim(common(caller), caller, attribution);
        }
    }

    /**
     * The client of a session that answers what the server asks while no call is under way.
     *
     * @param client the client, if there is one and it can be asked at any time
     * @param mayCome whether the first client is still to come
     * @param why the error that a server gets that asks where there is no such client
     */
    public record SessionOwner(Optional<Caller> client, boolean mayCome, String why) {

        /** One client that can be asked at any time. */
        static SessionOwner of(Caller caller) {
            return new SessionOwner(Optional.of(caller), false, "");
        }

        /** The client that makes the only call of a session. */
        public static SessionOwner ofOnlyCall(Caller caller) {
            return ClientIdentity.of(caller).canBeAskedAnyTime()
                    ? of(caller)
                    : none("the client whose call this process is there for can be asked only by that call");
        }

        /** No client uses the session yet; the first one owns it. */
        public static SessionOwner awaited() {
            var why = "no call is under way here that it could belong to, and no client has come yet";
            return new SessionOwner(Optional.empty(), true, why);
        }

        /** No client, for the reason {@code why}. */
        static SessionOwner none(String why) {
            return new SessionOwner(Optional.empty(), false, why);
        }
    }

    /**
     * Who a client is, as far as the choice of its session goes. All clients that cannot be asked anything count as one.
     *
     * @param name our name for it, its {@link Caller#home()}
     * @param identity identifies it when it reconnects under another name; empty where nothing does
     * @param announcesDeparture whether it reports when it leaves
     * @param caller one of its callers
     */
    record ClientIdentity(String name, String identity, boolean announcesDeparture, Caller caller) {
        /** The name of all clients that cannot be asked anything. */
        private static final String MUTE = "mute";

        /** The client of this caller, whatever it can be asked. */
        static ClientIdentity of(Caller caller) {
            return new ClientIdentity(
                    caller.home(), identity(caller), caller.audience() != NotificationSink.NONE, caller);
        }

        /** This client if it can be asked something, else the identity of all that cannot. */
        ClientIdentity orMute() {
            return canAnswer() ? this : new ClientIdentity(MUTE, "", false, caller);
        }

        private boolean canAnswer() {
            return !name.equals(MUTE)
                    && caller.canBeAsked()
                    && !caller.capabilities().equals(NOTHING);
        }

        /** Whether it can be asked something while it has no call under way. */
        boolean canBeAskedAnyTime() {
            return canAnswer() && caller.era() == Era.LEGACY;
        }

        /** Whether servers can ask it for roots at any time. */
        boolean hasRoots() {
            return canBeAskedAnyTime() && caller.capabilities().contains("\"roots\":");
        }

        /** Whether both have the same id and the same user. */
        boolean isSameClientAs(ClientIdentity other) {
            return !identity.isEmpty() && identity.equals(other.identity);
        }

        private static String identity(Caller caller) {
            var principal = caller.principal();
            return caller.clientId().isEmpty()
                    ? ""
                    : String.join("\n", principal.proof(), principal.name(), caller.clientId());
        }
    }
}
