package io.mcpbridge.gateway;

import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.SandboxLevel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How one server is, in as few words as help to decide what to do.
 *
 * @param name its name in the configuration
 * @param state as in {@link ServerRecord#state}
 * @param since when the state began
 * @param error the last error's words, or the empty string; it may be over
 * @param errorAt when that was; empty if there was none, or it is that the server could not be made
 * @param sandbox how firmly its process is held, where it is a child of the daemon
 * @param restarts how often it was connected again after it was lost
 * @param readings what the stages before it show, such as its breaker and its budget for retries
 */
public record ServerCondition(
        String name,
        String state,
        Instant since,
        String error,
        Optional<Instant> errorAt,
        Optional<SandboxLevel> sandbox,
        long restarts,
        List<Reading> readings) {
    private static final Set<String> TROUBLE = Set.of("degraded", "unavailable");

    public ServerCondition {
        readings = List.copyOf(readings);
    }

    static ServerCondition of(ServerRecord server) {
        return new ServerCondition(
                server.name(),
                server.state(),
                server.since(),
                server.error(),
                server.errorAt(),
                server.sandbox(),
                server.figures().vitals().restarts(),
                server.figures().readings());
    }

    /** Whether it is degraded or unavailable. */
    public boolean isInTrouble() {
        return TROUBLE.contains(state);
    }

    /** Adds it to what is written of the server. */
    JsonObject write(JsonObject json) {
        json.text("state", state)
                .text("since", since.toString())
                .text("error", error)
                .text("errorAt", errorAt.map(Instant::toString).orElse(""));
        sandbox.ifPresent(level -> json.text("sandbox", level.name()));
        return json.number("restarts", restarts).raw("readings", ServerFigures.json(readings));
    }
}
