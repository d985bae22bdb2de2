package io.mcpbridge.upstream.lists;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.ListSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Leaves tools out of a list that somebody says cannot be used, each alone. Asks on a worker. Any thread.
 *
 * @param faults says why a tool cannot be used; may take a while
 */
record UsableTools(ListSource source, Function<ToolDefinition, Optional<String>> faults)
        implements Sieve<ToolDefinition> {

    @Override
    public void sift(Sifted<ToolDefinition> listed, Consumer<Sifted<ToolDefinition>> kept, Consumer<Failure> failed) {
        if (listed.items().isEmpty()) {
            kept.accept(listed);
            return;
        }
        try {
            source.work(() -> kept.accept(usable(listed)));
        } catch (RejectedExecutionException ended) {
            failed.accept(Failure.of(ErrorCode.SHUTTING_DOWN, "the bridge is ending")
                    .withServer(source.upstream().name()));
        }
    }

    private Sifted<ToolDefinition> usable(Sifted<ToolDefinition> listed) {
        var items = new ArrayList<ToolDefinition>();
        var leftOut = new LinkedHashMap<>(listed.leftOut());
        for (var tool : listed.items()) {
            fault(tool).ifPresentOrElse(why -> leftOut.put(tool.name(), why), () -> items.add(tool));
        }
        return new Sifted<>(items, leftOut);
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
