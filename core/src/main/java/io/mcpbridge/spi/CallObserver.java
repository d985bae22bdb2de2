package io.mcpbridge.spi;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Observes calls and sessions for telemetry, and does not change them. Never blocks; any thread. */
public interface CallObserver extends AutoCloseable {

    /** Called when a call begins, on the thread that makes it; returns the tracer of the call. */
    default CallTracer begun(CallStart start) {
        return CallTracer.NONE;
    }

    /**
     * Called when the bridge itself sends a server a request that belongs to no call, such as a handshake, a listing or
     * a ping; returns the tracer of the request.
     *
     * @param cause the {@link #programTrace} of the program that caused the request; {@link TraceParent#NONE} if none did
     */
    default AttemptTracer asked(CallAttempt own, TraceParent cause) {
        return AttemptTracer.NONE;
    }

    /** The trace of the embedding program on the current thread; {@link TraceParent#NONE} if it is in none. */
    default TraceParent programTrace() {
        return TraceParent.NONE;
    }

    /** Called when a session with a server or with a client has ended. */
    default void sessionEnded(EndedSession session) {}

    /**
     * Passes the source of the servers' measurements, by server name. The observer may read it at any time; reading is
     * cheap.
     *
     * @return an action after which the observer no longer reads the source
     */
    default Runnable watchServers(Supplier<Map<String, List<GaugeReading>>> servers) {
        return () -> {};
    }

    /** Releases the resources of the observer; its creator calls this. */
    @Override
    default void close() {}

    /**
     * The beginning of a call, for observers.
     *
     * @param listed whether a list of a server has the tool or prompt that a call names
     */
    record CallStart(Call call, Origin origin, Predicate<Call> listed) {

        /** The origin of a call. */
        public enum Origin {
            /** A request of a client. */
            CLIENT,
            /** The program that embeds the bridge, on the current thread. */
            PROGRAM
        }

        /**
         * Whether a list of a server has the tool or prompt that the call names, so that the set of such names is
         * bounded.
         */
        public boolean namesListed() {
            return listed.test(call);
        }
    }

    /**
     * A session with a server or a client that has ended, for observers.
     *
     * @param server the configured name of the server; empty for the session of a client
     * @param version the protocol revision of the session
     * @param network {@code pipe}, {@code tcp} or {@code unix}; empty if unknown
     * @param address the address of the server; empty for the session of a client
     * @param failure the reason if the session ended abnormally; else empty
     */
    record EndedSession(
            Optional<String> server,
            ProtocolVersion version,
            Duration duration,
            String network,
            String address,
            Optional<Failure> failure) {

        /** A session of a client. */
        public static EndedSession ofClient(ProtocolVersion version, Duration duration) {
            return new EndedSession(Optional.empty(), version, duration, "", "", Optional.empty());
        }

        /** A session with the server of this configured name. */
        public static EndedSession withServer(String server, ProtocolVersion version, Duration duration) {
            return new EndedSession(Optional.of(server), version, duration, "", "", Optional.empty());
        }

        /**
         * A copy with this network, {@code pipe}, {@code tcp} or {@code unix}, and this address.
         *
         * @param newAddress the address of the server, as in {@link Sending#address}; empty for clients
         */
        public EndedSession over(String newNetwork, String newAddress) {
            return new EndedSession(server, version, duration, newNetwork, newAddress, failure);
        }

        /** A copy for a session that ended abnormally. */
        public EndedSession failed(Failure why) {
            return new EndedSession(server, version, duration, network, address, Optional.of(why));
        }
    }
}
