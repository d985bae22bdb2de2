package io.mcpbridge.gateway;

import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.SandboxLevel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The health of one server, as part of {@link BridgeHealth}.
 *
 * @param name its name in the configuration
 * @param state as in {@link ManagedServerStatus#state}
 * @param since when the state began
 * @param error the message of the last error, or the empty string; the server may have recovered since
 * @param errorAt the time of that error; empty if there was none, or if the server could not be created
 * @param sandbox the sandbox level of its process, if it is a child of the daemon
 * @param restarts the number of reconnections
 * @param readings the values of its stages, such as breaker and retry budget
 */
public record ManagedServerHealth(
        String name,
        String state,
        Instant since,
        String error,
        Optional<Instant> errorAt,
        Optional<SandboxLevel> sandbox,
        long restarts,
        List<GaugeReading> readings) {
    private static final Set<String> UNHEALTHY = Set.of("degraded", "unavailable");

    public ManagedServerHealth {
        readings = List.copyOf(readings);
    }

    static ManagedServerHealth of(ManagedServerStatus server) {
        return new ManagedServerHealth(
                server.name(),
                server.state(),
                server.since(),
                server.error(),
                server.errorAt(),
                server.sandbox(),
                server.restarts(),
                server.readings());
    }

    /** Whether it is degraded or unavailable. */
    public boolean isUnhealthy() {
        return UNHEALTHY.contains(state);
    }
}
