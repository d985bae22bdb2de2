package io.mcpbridge.upstream.lists;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.ListSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Leaves tools out of a list that somebody says cannot be used, each alone, and tells the log why. Asks on a worker. Any
 * thread.
 *
 * @param faults says why a tool cannot be used; may take a while
 */
record UsableTools(ListSource source, Function<ToolDefinition, Optional<String>> faults)
        implements Sieve<ToolDefinition> {

    @Override
    public void sift(List<ToolDefinition> listed, Consumer<List<ToolDefinition>> kept, Consumer<Failure> failed) {
        if (listed.isEmpty()) {
            kept.accept(listed);
            return;
        }
        try {
            source.work(() -> kept.accept(listed.stream().filter(this::isUsable).toList()));
        } catch (RejectedExecutionException ended) {
            failed.accept(Failure.of(ErrorCode.SHUTTING_DOWN, "the bridge is ending")
                    .withServer(source.upstream().name()));
        }
    }

    private boolean isUsable(ToolDefinition tool) {
        var fault = fault(tool);
        fault.ifPresent(why -> source.leftOut(tool.name(), why));
        return fault.isEmpty();
    }

    /** A defect of whoever judges costs one tool; the list must come to its end. */
    private Optional<String> fault(ToolDefinition tool) {
        try {
            return faults.apply(tool);
        } catch (RuntimeException defect) {
            return Optional.of("it cannot be judged: " + defect);
        }
    }
}
