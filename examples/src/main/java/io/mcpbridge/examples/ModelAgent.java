package io.mcpbridge.examples;

import io.mcpbridge.Bridge;
import io.mcpbridge.agents.AgentResult;
import io.mcpbridge.agents.AgentRunner;
import io.mcpbridge.agents.ModelFormat;
import io.mcpbridge.agents.ModelProvider;
import io.mcpbridge.tool.Json;
import java.nio.file.Path;
import java.util.List;

/** Gives the tools of servers to a language model. */
public final class ModelAgent {

    private ModelAgent() {}

    /** Runs a prompt with OpenAI, whose key is in the variable {@code OPENAI_API_KEY}. */
    public static String run(Path file, String prompt) throws InterruptedException {
        return run(file, prompt, ModelProvider.named("openai"));
    }

    /** Runs a prompt with any model. */
    public static String run(Path file, String prompt, ModelProvider provider) throws InterruptedException {
        try (var bridge = Bridge.open(file)) {
            var runner = AgentRunner.of(bridge);
            var tools = runner.loadTools(List.of("demo"));
            AgentResult result = runner.execute(prompt, tools, provider, "gpt-4o-mini");
            return result.text();
        }
    }

    /** Runs the tool calls of a response that the program's own code received. */
    public static List<Json> answer(Bridge bridge, Json response) throws InterruptedException {
        var tools = AgentRunner.of(bridge).loadTools(List.of("demo"));
        Json definitions = tools.definitions(ModelFormat.ANTHROPIC);
        System.getLogger("example").log(System.Logger.Level.INFO, definitions.text());
        return tools.answer(ModelFormat.ANTHROPIC, response);
    }
}
