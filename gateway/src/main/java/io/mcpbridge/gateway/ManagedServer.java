package io.mcpbridge.gateway;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.RouteFactory;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.routing.Route;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One section of {@code mcpServers} with its route, or the reason why it has none. */
final class ManagedServer {
    private final ServerSettings settings;
    private final String defaultPolicy;
    private final InFlightCounter calls;
    private final @Nullable Route route;
    private final ManagedServerStatus absent;

    private ManagedServer(
            ServerSettings settings,
            String defaultPolicy,
            InFlightCounter calls,
            @Nullable Route route,
            ManagedServerStatus absent) {
        this.settings = settings;
        this.defaultPolicy = defaultPolicy;
        this.calls = calls;
        this.route = route;
        this.absent = absent;
    }

    /**
     * Creates a server that is not yet connected.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if its settings are wrong
     */
    static ManagedServer open(RouteFactory servers, ServerSettings settings, String defaultPolicy) {
        var made = servers.open(settings, Reconnecting.ON_DEMAND, defaultPolicy);
        var calls = new InFlightCounter(() -> {});
        var route = made.withHandler(
                new Pipeline().add(Pipeline.Position.SERVER_CALLS, calls).before(made.handler()));
        return new ManagedServer(
                settings, defaultPolicy, calls, route, ManagedServerStatus.absent(settings, "idle", "", Instant.EPOCH));
    }

    /** A server that its section disables. */
    static ManagedServer disabled(ServerSettings settings, String defaultPolicy, Instant now) {
        return without(settings, defaultPolicy, ManagedServerStatus.absent(settings, "disabled", "", now));
    }

    /** A server with an unusable section. */
    static ManagedServer broken(ServerSettings settings, String defaultPolicy, String why, Instant now) {
        return without(settings, defaultPolicy, ManagedServerStatus.absent(settings, "unavailable", why, now));
    }

    private static ManagedServer without(ServerSettings settings, String defaultPolicy, ManagedServerStatus absent) {
        return new ManagedServer(settings, defaultPolicy, new InFlightCounter(() -> {}), null, absent);
    }

    String name() {
        return settings.name();
    }

    ServerSettings settings() {
        return settings;
    }

    Optional<Route> route() {
        return Optional.ofNullable(route);
    }

    /** Whether the server is enabled but cannot be created. */
    boolean isLeftOut() {
        return route == null && settings.enabled();
    }

    int callsUnderWay() {
        return calls.underWay();
    }

    /** Whether creating the server from this section would change nothing. */
    boolean isBuiltFrom(ServerSettings other, String otherPolicy) {
        return defaultPolicy.equals(otherPolicy) && settings.saysTheSameAs(other);
    }

    ManagedServerStatus status() {
        return route().map(there -> ManagedServerStatus.of(
                        there.upstream().status(),
                        there.sandbox(),
                        there.readings().get()))
                .orElse(absent);
    }

    /** Ends its sessions and waits until their transports are closed. */
    void close() {
        route().ifPresent(there -> there.upstream().close());
    }
}
