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
 * <p>On a shared stream, messages of a legacy server do not identify their client. At such a server, each client that
 * accepts server requests leases its own session, and all others share one. The first client leases the common session;
 * each further one leases another. If no more sessions are allowed, a client shares the common one and receives server
 * requests only while no other client has calls there.
 */
public final class ClientAffinity {
    /** How long a session stays without a client; a new client within this time leases it. */
    public static final Duration GRACE_PERIOD = Duration.ofSeconds(60);

    private static final String NOTHING = "{}";

    /** Whether messages from the server identify the client they are for. */
    enum Attribution {
        UNKNOWN,
        /** Each message belongs to the stream of one request. */
        PER_REQUEST,
        /** The server is of the legacy era, and all clients of a session share one stream. */
        AMBIGUOUS
    }

    /** A session of the server. Any thread. */
    public interface Session {

        /** Whether each message of the server shows the client it is for. */
        boolean identifiesClients();

        /** Whether unsolicited messages of the server may belong to a client other than {@code client}. */
        boolean mayConcernOthersThan(String client);

        /** A client has reconnected under another name. */
        void renameClient(String from, String to);

        /** The session has a new owner for server requests outside of calls, or will have none. */
        void ownerChanged();

        /** Sends a notification or a response without waiting for it. */
        void sendOneWay(Message message);
    }

    /** The sessions of the server. Any thread; nothing waits. */
    public interface Sessions {

        /**
         * Reserves a place for a session, and evicts another one if necessary.
         *
         * @return releases the place; empty if no place is free
         */
        Optional<Runnable> reserve(SessionKey key, Caller caller);

        /** The session with this key, if it is open. */
        Optional<Session> session(SessionKey key);

        /** Whether callers with another key share this session, since no place was free for their own. */
        boolean isShared(SessionKey key);

        /** Whether a session other than this one may exist. */
        boolean hasOtherThan(SessionKey key);

        /** Whether a client has subscribed to something in this session. */
        boolean isSubscribed(SessionKey key);

        /** Ends a session, unless it is in use or the last one; returns whether it ended. */
        boolean evict(SessionKey key);

        /** Opens the session with this key; {@code reply} receives the result. */
        void connect(SessionKey key, Call call, Reply reply);

        /** Sends a call over the session with this key, or over the shared one instead. */
        void send(SessionKey key, Call call, Reply reply);
    }

    private final Sessions sessions;
    private final ServerSettings settings;
    private final LeaseTable leases;
    private volatile Attribution attribution = Attribution.UNKNOWN;

    /** Creates the affinity of one server, without leases. */
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

    /** Sends an attempt once the attribution is known. */
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
     * Finds the session of the caller's client without a call, and runs {@code then}; {@code reply} receives the
     * failure if the server cannot be reached. Requests of the modern era need no session.
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

    /** Opens the session of the caller, which determines the attribution. */
    private void connect(Call call, Reply reply, Runnable then) {
        sessions.connect(key(call.caller()), call, outcome -> {
            if (outcome instanceof Outcome.Failed) {
                reply.complete(outcome);
            } else {
                then.run();
            }
        });
    }

    private Optional<Acquired> acquire(Caller caller) {
        return leases.acquire(common(caller), caller, attribution);
    }

    /** Whether this caller's client may need its own session. */
    private boolean concerns(Caller caller) {
        return attribution != Attribution.PER_REQUEST
                && !caller.session().isEmpty()
                && !caller.promised().equals(NOTHING);
    }

    /** Returns the session of this caller's client, or the common one. */
    public SessionKey key(Caller caller) {
        var common = common(caller);
        return leases.find(common, caller.home()).orElse(common);
    }

    private SessionKey common(Caller caller) {
        return SessionKey.of(caller, settings);
    }

    /** Notes the attribution of an open session. */
    public void connected(Session session) {
        attribution = session.identifiesClients() ? Attribution.PER_REQUEST : Attribution.AMBIGUOUS;
        session.ownerChanged();
        if (attribution == Attribution.AMBIGUOUS) {
            leases.sessionAdded();
        }
    }

    /** Returns the sessions that no client uses any longer, which are evicted first. */
    public Set<SessionKey> unused() {
        return attribution == Attribution.AMBIGUOUS ? leases.unused() : Set.of();
    }

    /** Returns the client that receives server requests outside of calls in the session with this key. */
    public SessionOwner owner(SessionKey key) {
        return switch (attribution) {
            case UNKNOWN -> SessionOwner.awaited();
            case PER_REQUEST -> SessionOwner.none("no call is under way here that it could belong to");
            case AMBIGUOUS -> leases.owner(key);
        };
    }

    /** Returns the session that this caller's client has for itself. */
    public Optional<SessionKey> ownSession(Caller caller) {
        var key = key(caller);
        return owner(key)
                .client()
                .filter(owner -> owner.session().equals(caller.session()))
                .map(owner -> key);
    }

    /** Gives the common session to a client that lists, if no other client has it. */
    public void claim(Caller caller) {
        if (concerns(caller) && ClientIdentity.of(caller).canBeAskedAnyTime()) {
            leases.claim(common(caller), caller, attribution);
        }
    }

    /**
     * The client of a session that receives server requests while no call is in flight.
     *
     * @param client the client, if one exists and accepts server requests at any time
     * @param mayCome whether the session waits for its first client
     * @param why the error for the server if there is no such client
     */
    public record SessionOwner(Optional<Caller> client, boolean mayCome, String why) {

        /** Returns a client that accepts server requests at any time. */
        static SessionOwner of(Caller caller) {
            return new SessionOwner(Optional.of(caller), false, "");
        }

        /** Returns the client that makes the only call of a session. */
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
     * The identity of a client for the choice of its session. All clients that accept no server requests count as one.
     *
     * @param name the bridge's name for it, its {@link Caller#home()}
     * @param caller one of its callers
     */
    record ClientIdentity(String name, Caller caller) {
        /** The name of all clients that accept no server requests. */
        private static final String MUTE = "mute";

        /** Returns the client of this caller, whatever server requests it accepts. */
        static ClientIdentity of(Caller caller) {
            return new ClientIdentity(caller.home(), caller);
        }

        /** Returns this client if it accepts server requests, else the identity of all that do not. */
        ClientIdentity orMute() {
            return canAnswer() ? this : new ClientIdentity(MUTE, caller);
        }

        private boolean isMute() {
            return name.equals(MUTE);
        }

        /** Whether it reports when it leaves. */
        boolean announcesDeparture() {
            return !isMute() && caller.notificationSink() != NotificationSink.NONE;
        }

        private boolean canAnswer() {
            return !isMute() && caller.canBeAsked() && !caller.capabilities().equals(NOTHING);
        }

        /** Whether it accepts server requests while it has no call in flight. */
        boolean canBeAskedAnyTime() {
            return canAnswer() && caller.era() == Era.LEGACY;
        }

        /** Whether servers may request its roots at any time. */
        boolean hasRoots() {
            return canBeAskedAnyTime() && caller.capabilities().contains("\"roots\":");
        }

        /** Whether it can be recognized when it reconnects under another name. */
        boolean isRecognizable() {
            return !isMute() && !caller.clientId().isEmpty();
        }

        /** Whether both have the same id and the same user. */
        boolean isSameClientAs(ClientIdentity other) {
            return isRecognizable()
                    && other.isRecognizable()
                    && caller.clientId().equals(other.caller.clientId())
                    && caller.principal().equals(other.caller.principal());
        }
    }
}
