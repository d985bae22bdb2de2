package io.mcpbridge.conformance;

import static io.mcpbridge.conformance.FixtureTool.ANY;
import static io.mcpbridge.conformance.FixtureTool.said;
import static io.mcpbridge.conformance.FixtureTool.tool;

import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The tools of {@link LegacyFixture} that change its lists; the SDK then notifies all clients. */
final class ListChanges {
    private static final String TOOL = "test_tool_that_comes_and_goes";
    private static final String PROMPT = "test_prompt_that_comes_and_goes";

    private final CompletableFuture<McpSyncServer> server = new CompletableFuture<>();

    /** Says whose lists are changed; calls that come earlier wait for it. */
    void of(McpSyncServer made) {
        server.complete(made);
    }

    List<SyncToolSpecification> tools() {
        return List.of(
                tool("test_trigger_tool_change", ANY, (client, call) -> changeTools(server.join())),
                tool("test_trigger_prompt_change", ANY, (client, call) -> changePrompts(server.join())));
    }

    private static synchronized CallToolResult changeTools(McpSyncServer server) {
        if (server.listTools().stream().anyMatch(tool -> tool.name().equals(TOOL))) {
            server.removeTool(TOOL);
            return said("gone");
        }
        server.addTool(tool(TOOL, ANY, (client, call) -> said("here")));
        return said("come");
    }

    private static synchronized CallToolResult changePrompts(McpSyncServer server) {
        if (server.listPrompts().stream().anyMatch(prompt -> prompt.name().equals(PROMPT))) {
            server.removePrompt(PROMPT);
            return said("gone");
        }
        server.addPrompt(prompt());
        return said("come");
    }

    private static SyncPromptSpecification prompt() {
        return FixturePrompts.prompt(PROMPT, List.of(), (client, request) -> FixturePrompts.asked("Are you here?"));
    }
}
