package io.mcpbridge.spi;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One step that every call passes: a limit, a breaker, a cache, the audit. Never waits; any thread. */
public interface CallStage {

    /** Passes the call to {@code next}, now or later, changed or not, or answers it. */
    void handle(Call call, Reply reply, Handler next);

    /**
     * Hears how each attempt of a call ended, also where the stage stands outside of the attempts and only sees how the
     * last one did. Cheap; any thread.
     *
     * @param took how long ago the attempt began
     */
    default void attemptEnded(Call call, Outcome outcome, Duration took) {}

    /** Whether it keeps calls from a server that is in trouble; such a server is not healthy. Cheap; any thread. */
    default Optional<HeldOff> heldOff() {
        return Optional.empty();
    }

    /**
     * Why nobody can call this tool through the stage, such as one whose schema is none; its server is then taken not to
     * list it. Asked of stages at {@link Place#SCHEMA_CHECK}, on a worker, since an answer may take a while.
     */
    default Optional<String> unusable(ToolDefinition tool) {
        return Optional.empty();
    }

    /** What there is to see of it at this moment; cheap, from any thread. */
    default List<Reading> readings() {
        return List.of();
    }
}
