package io.mcpbridge.server;

import io.mcpbridge.call.Handler;
import io.mcpbridge.spi.SchemaCheckProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** The tools, resources and prompts of a program. Answers the requests of its clients. Any thread. */
record ServedFeatures(ServerMode mode, ToolRegistry tools, ResourceRegistry resources, PromptRegistry prompts) {

    /** Without tools, resources and prompts. */
    static ServedFeatures of(ServerMode mode, SchemaCheckProvider checks) {
        return new ServedFeatures(mode, new ToolRegistry(mode, checks), new ResourceRegistry(), new PromptRegistry());
    }

    /** The names of the capabilities: tools, and what else is registered now and admitted by the mode. */
    List<String> offered() {
        var offered = new ArrayList<>(List.of("tools"));
        if (offersResources()) {
            offered.add("resources");
        }
        if (offersPrompts()) {
            offered.add("prompts");
        }
        return offered;
    }

    private boolean offersResources() {
        return mode != ServerMode.MINIMAL && !resources.isEmpty();
    }

    private boolean offersPrompts() {
        return mode != ServerMode.MINIMAL && !prompts.isEmpty();
    }

    /** Answers requests without waiting, and refuses those for what is not offered. */
    Handler handler(ToolCallRunner.Resources parts) {
        var toolHandler = tools.handler(parts);
        return (call, reply) -> {
            if (!handle(new ServedRequest(call, reply), parts.threads())) {
                toolHandler.handle(call, reply);
            }
        };
    }

    private boolean handle(ServedRequest request, Executor threads) {
        return (offersResources() && resources.handle(request, threads))
                || (offersPrompts() && prompts.handle(request, threads));
    }
}
