package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.admission.KnownTools;
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
        tools.doubt(caller);
        tools.list(caller, then(then, failed));
    }

    @Override
    public long lastChange(Caller caller) {
        return tools.lastChange(caller);
    }

    @Override
    public boolean isCurrent(Caller caller, long change) {
        return tools.isListedSince(caller, change);
    }

    @Override
    public void refresh(Caller caller, long change, Consumer<Optional<Failure>> then) {
        if (isCurrent(caller, change)) {
            then.accept(Optional.empty());
        } else {
            tools.listOnce(
                    caller, then(() -> then.accept(Optional.empty()), failure -> then.accept(Optional.of(failure))));
        }
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
