package io.mcpbridge.gateway;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.RouteFactory;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import java.time.Instant;
import java.util.Optional;

/**
 * One section of {@code mcpServers} with its route, or the reason why it has none.
 *
 * @param defaultPolicy the retry policy if the section names none
 * @param calls counts the calls of clients at this server
 * @param absent the status without a route
 */
record ConfiguredServer(
        ServerSettings settings,
        String defaultPolicy,
        InFlightCounter calls,
        Optional<ServerRoute> route,
        ManagedServerStatus absent) {

    /**
     * Creates a server that is not yet connected.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if its settings are wrong
     */
    static ConfiguredServer open(RouteFactory servers, ServerSettings settings, String defaultPolicy) {
        var made = servers.open(settings, Reconnecting.ON_DEMAND, defaultPolicy);
        var calls = new InFlightCounter(() -> {});
        var route = made.withHandler(
                new Pipeline().add(Pipeline.Position.SERVER_CALLS, calls).before(made.handler()));
        var absent = ManagedServerStatus.absent(settings, "idle", "", Instant.EPOCH);
        return new ConfiguredServer(settings, defaultPolicy, calls, Optional.of(route), absent);
    }

    /** A server without a route. */
    static ConfiguredServer without(ServerSettings settings, String defaultPolicy, ManagedServerStatus absent) {
        return new ConfiguredServer(settings, defaultPolicy, new InFlightCounter(() -> {}), Optional.empty(), absent);
    }

    String name() {
        return settings.name();
    }

    /** Whether the server is enabled but cannot be created. */
    boolean isLeftOut() {
        return route.isEmpty() && settings.enabled();
    }

    int callsUnderWay() {
        return calls.underWay();
    }

    /** Whether creating the server from this section would change nothing. */
    boolean isBuiltFrom(ServerSettings other, String otherPolicy) {
        return defaultPolicy.equals(otherPolicy) && settings.saysTheSameAs(other);
    }

    ManagedServerStatus status() {
        return route.map(there -> ManagedServerStatus.of(
                        there.upstream().status(),
                        there.sandbox(),
                        there.readings().get()))
                .orElse(absent);
    }

    /** Ends the sessions of the server and waits until their transports are closed. */
    void close() {
        route.ifPresent(there -> there.upstream().close());
    }
}
