package io.mcpbridge.engine.session;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.engine.session.ServerCard.Introductions;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Environment;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The parts that all client sessions share.
 *
 * @param handler takes the calls
 * @param environment clocks, randomness and the log
 * @param card the self-description of the bridge
 * @param callTimeout the total time of a call
 * @param limits how much one client may do at once
 * @param servers what is known of the servers that {@code handler} calls
 * @param events receives client events outside of calls
 */
public record DownstreamParts(
        Handler handler,
        Environment environment,
        ServerCard card,
        Supplier<Duration> callTimeout,
        ClientLimits limits,
        KnownServers servers,
        ClientEvents events) {

    /** With servers of which nothing is known, and without a listener for events. */
    public DownstreamParts(
            Handler handler,
            Environment environment,
            ServerCard card,
            Supplier<Duration> callTimeout,
            ClientLimits limits) {
        this(handler, environment, card, callTimeout, limits, KnownServers.NONE, ClientEvents.NONE);
    }

    /** What is known of the servers that clients call. Any thread; never waits and asks no server. */
    public interface KnownServers {

        /** Knows nothing. */
        KnownServers NONE = (caller, tool) -> Optional.empty();

        /**
         * The raw JSON of a tool's {@code inputSchema}; empty if the tool is unknown or was not listed yet.
         *
         * @param tool its name as clients see it
         */
        Optional<String> toolSchema(Caller caller, String tool);

        /** What the servers said about themselves when they were connected last; none unless overridden. */
        default Introductions introductions(Caller caller) {
            return Introductions.NONE;
        }
    }

    /**
     * How much clients may do at once.
     *
     * @param callsInFlight requests per principal that have no answer yet
     * @param connections connections and HTTP sessions per principal
     * @param subscriptions streams of {@code subscriptions/listen} per principal
     * @param sessionIdle how long an HTTP session may be silent before it is ended
     * @param keepAlive the silence of a reachable client before the bridge pings it, and again before the client counts
     *     as lost; zero for no pings
     */
    public record ClientLimits(
            int callsInFlight, int connections, int subscriptions, Duration sessionIdle, Duration keepAlive) {

        /** The defaults of the design: 1,024 calls, 8,192 connections and 256 streams; a ping after 30 s. */
        public static final ClientLimits DEFAULTS =
                new ClientLimits(1_024, 8_192, 256, Duration.ofMinutes(30), Duration.ofSeconds(30));
    }

    /** Receives client events outside of calls. Any thread; never waits. */
    public interface ClientEvents {

        /** Ignores all events. */
        ClientEvents NONE = (caller, notification) -> {};

        /** A client has sent a notification, such as that its roots have changed. */
        void notified(Caller caller, Notification notification);

        /** A client's request was rejected before it became a call, because of a limit or because its id is in use. */
        default void rejected(Call call, Failure why) {}
    }
}
