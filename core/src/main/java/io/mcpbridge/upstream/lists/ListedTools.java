package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.KnownTools;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The tools of a server as it listed them. */
record ListedTools(UpstreamList<ToolDefinition> tools) implements KnownTools {

    @Override
    public Optional<ToolDefinition> find(Caller caller, String tool) {
        return tools.find(caller, tool);
    }

    @Override
    public void learn(Caller caller, Runnable then, Consumer<Failure> failed) {
        tools.changed(caller);
        tools.list(caller, then(then, failed));
    }

    @Override
    public boolean isCurrent(Caller caller) {
        return tools.isKnown(caller);
    }

    @Override
    public void refresh(Caller caller, Runnable then, Consumer<Failure> failed) {
        tools.listOnce(caller, then(then, failed));
    }

    private static UpstreamList.Listed<ToolDefinition> then(Runnable then, Consumer<Failure> failed) {
        return new UpstreamList.Listed<>() {
            @Override
            public void items(List<ToolDefinition> items) {
                then.run();
            }

            @Override
            public void failed(Failure why) {
                failed.accept(why);
            }
        };
    }
}
