package io.mcpbridge.gateway;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.routing.Route;
import io.mcpbridge.routing.Servers;
import io.mcpbridge.upstream.UpstreamParts.Reconnecting;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One section of {@code mcpServers} and what was made of it: a route, or the reason why there is none. */
final class ManagedServer {
    private final ServerSettings settings;
    private final String defaultPolicy;
    private final CallCount calls;
    private final @Nullable Route route;
    private final ServerRecord absent;

    private ManagedServer(
            ServerSettings settings,
            String defaultPolicy,
            CallCount calls,
            @Nullable Route route,
            ServerRecord absent) {
        this.settings = settings;
        this.defaultPolicy = defaultPolicy;
        this.calls = calls;
        this.route = route;
        this.absent = absent;
    }

    /**
     * Makes a server that connects to nothing yet.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if its settings are wrong
     */
    static ManagedServer open(Servers servers, ServerSettings settings, String defaultPolicy) {
        var made = servers.open(settings, Reconnecting.ON_DEMAND, defaultPolicy);
        var calls = new CallCount(() -> {});
        var route = made.withHandler(Pipeline.of(List.of(calls), made.handler()));
        return new ManagedServer(
                settings, defaultPolicy, calls, route, ServerRecord.absent(settings, "idle", "", Instant.EPOCH));
    }

    /** A server whose section says that it is not to be used. */
    static ManagedServer disabled(ServerSettings settings, String defaultPolicy, Instant now) {
        return without(settings, defaultPolicy, ServerRecord.absent(settings, "disabled", "", now));
    }

    /** A server that cannot be made of its section. */
    static ManagedServer broken(ServerSettings settings, String defaultPolicy, String why, Instant now) {
        return without(settings, defaultPolicy, ServerRecord.absent(settings, "unavailable", why, now));
    }

    private static ManagedServer without(ServerSettings settings, String defaultPolicy, ServerRecord absent) {
        return new ManagedServer(settings, defaultPolicy, new CallCount(() -> {}), null, absent);
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

    /** Whether it should be there, and cannot be made. */
    boolean isLeftOut() {
        return route == null && settings.enabled();
    }

    int callsUnderWay() {
        return calls.underWay();
    }

    /** Whether making it anew from this section would change nothing. */
    boolean isMadeFrom(ServerSettings other, String otherPolicy) {
        return defaultPolicy.equals(otherPolicy) && settings.saysTheSameAs(other);
    }

    ServerRecord record() {
        return route().map(there -> ServerRecord.of(
                        there.upstream().status(),
                        there.sandbox(),
                        there.stages().readings()))
                .orElse(absent);
    }

    /** Ends its sessions; waits until their transports are closed. */
    void close() {
        route().ifPresent(there -> there.upstream().close());
    }
}
