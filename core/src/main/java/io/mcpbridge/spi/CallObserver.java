package io.mcpbridge.spi;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Watches calls without taking part, for telemetry. Never waits; any thread. */
public interface CallObserver extends AutoCloseable {

    /** A call begins, on the thread that makes it; what is returned watches the rest of it. */
    default CallTracer begun(CallStart start) {
        return CallTracer.NONE;
    }

    /**
     * The bridge itself asks a server something that belongs to no call, such as a handshake, a list or a sign of life;
     * what is returned watches it.
     */
    default AttemptTracer asked(CallAttempt own) {
        return AttemptTracer.NONE;
    }

    /** A session is over that the bridge had with a server, or a client with the bridge. */
    default void sessionEnded(EndedSession session) {}

    /**
     * Says where the state of the servers can be read at any time, by the servers' names; reading it is cheap.
     *
     * @return ends the reading
     */
    default Runnable watchServers(Supplier<Map<String, List<Measurement>>> servers) {
        return () -> {};
    }

    /** Releases its resources; its creator calls this. */
    @Override
    default void close() {}

    /**
     * The beginning of a call, for those who watch it.
     *
     * @param listed whether the tool or prompt that a call names is known from a list
     */
    record CallStart(Call call, Origin origin, Predicate<Call> listed) {

        /** Who makes a call. */
        public enum Origin {
            /** A client that is served: its request has come. */
            CLIENT,
            /** The program that the bridge is part of, on this very thread. */
            PROGRAM
        }

        /** Whether the tool or prompt that is named is known from a list, and so one of a bounded number. */
        public boolean namesListed() {
            return listed.test(call);
        }
    }

    /**
     * A session that is over, with a server or of a client, for those who watch.
     *
     * @param server the configured name of the server; empty for the session of a client
     * @param version the revision that was spoken
     * @param network {@code pipe}, {@code tcp} or {@code unix}; empty where that is not known
     * @param address where the server is; empty for the session of a client
     * @param failure why it ended, unless that was in good order
     */
    record EndedSession(
            Optional<String> server,
            ProtocolVersion version,
            Duration duration,
            String network,
            String address,
            Optional<Failure> failure) {

        /** One that a client had with the bridge. */
        public static EndedSession ofClient(ProtocolVersion version, Duration duration) {
            return new EndedSession(Optional.empty(), version, duration, "", "", Optional.empty());
        }

        /** One that the bridge had with the server of this configured name. */
        public static EndedSession withServer(String server, ProtocolVersion version, Duration duration) {
            return new EndedSession(Optional.of(server), version, duration, "", "", Optional.empty());
        }

        /**
         * The same over {@code pipe}, {@code tcp} or {@code unix}.
         *
         * @param newAddress where the server is, as in {@link Sending#address}; empty for clients
         */
        public EndedSession over(String newNetwork, String newAddress) {
            return new EndedSession(server, version, duration, newNetwork, newAddress, failure);
        }

        /** The same, ended otherwise than it should. */
        public EndedSession failed(Failure why) {
            return new EndedSession(server, version, duration, network, address, Optional.of(why));
        }
    }
}
