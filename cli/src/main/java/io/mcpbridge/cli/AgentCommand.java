package io.mcpbridge.cli;

import io.mcpbridge.agents.AgentListener;
import io.mcpbridge.agents.AgentResult;
import io.mcpbridge.agents.AgentRunner;
import io.mcpbridge.agents.AgentSettings;
import io.mcpbridge.agents.ModelProvider;
import io.mcpbridge.agents.ToolSource;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.VisibleText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mcp-bridge agent}: runs a prompt with a language model and the tools of servers. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a prompt: a language model calls tools of servers until it answers.",
            "Prints the answer on standard output, and each tool call on standard error as it happens."
        },
        footer = {
            "",
            "Examples:",
            "  mcp-bridge agent --server github --model openai:gpt-4o-mini 'Which issues are open?'",
            "  mcp-bridge agent --command './my-server' --model anthropic:claude-sonnet-4-5 'What can you do?'"
        })
final class AgentCommand implements Callable<Integer> {
    private static final int SHOWN = 160;

    @Parameters(index = "0", paramLabel = "PROMPT", description = "What the model is to do.")
    private String prompt;

    @Option(
            names = "--model",
            required = true,
            paramLabel = "PROVIDER:MODEL",
            description = {
                "A provider and its model: openai, openai-responses, anthropic, gemini,",
                "or one of 'models' in the file of the client."
            })
    private String model;

    @Option(
            names = "--server",
            paramLabel = "NAME",
            description = "Only tools of this server of the daemon, by its name or alias; may be repeated.")
    private List<String> servers = List.of();

    @Option(names = "--max-rounds", paramLabel = "N", description = "The most requests to the model; default 20.")
    private int maxRounds = AgentSettings.DEFAULTS.maxRounds();

    @Option(names = "--max-calls", paramLabel = "N", description = "The most tool calls; default 100.")
    private int maxCalls = AgentSettings.DEFAULTS.maxCalls();

    @Option(
            names = "--max-tokens",
            paramLabel = "N",
            description = "The longest response of the model, for anthropic; default 4096.")
    private int maxTokens = AgentSettings.DEFAULTS.maxTokens();

    @Option(
            names = "--max-time",
            paramLabel = "SPAN",
            converter = TargetOptions.DurationConverter.class,
            description = "How long all of it may take, such as 30s or 10m; default 10m.")
    private Duration maxTime = AgentSettings.DEFAULTS.timeout();

    @Mixin
    private TargetOptions target;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        var settings = AgentSettings.DEFAULTS
                .withMaxRounds(maxRounds)
                .withMaxCalls(maxCalls)
                .withTimeout(maxTime)
                .withMaxTokens(maxTokens);
        var colon = model.indexOf(':');
        if (colon < 1 || colon == model.length() - 1) {
            throw ConfigurationException.of(
                    "--model is '%s' but must be PROVIDER:MODEL, such as openai:gpt-4o-mini".formatted(model));
        }
        if (!servers.isEmpty() && !target.isDaemon()) {
            throw ConfigurationException.of(
                    "--server is %s but chooses servers of the daemon; leave it out with --url or --command"
                            .formatted(servers));
        }
        var provider = ModelProvider.named(model.substring(0, colon), target.models(), System.getenv());
        try (var connection = target.connect(Level.OFF)) {
            var runner = AgentRunner.of(ToolSource.of(connection))
                    .withSettings(settings)
                    .withListener(new Reporter(output));
            var tools = runner.loadTools(servers.isEmpty() ? List.of("") : servers);
            tools.leftOut()
                    .forEach((tool, why) -> output.remark("the model does not see '%s': %s".formatted(tool, why)));
            return print(runner.execute(prompt, tools, provider, model.substring(colon + 1)));
        }
    }

    private int print(AgentResult result) {
        if (!result.text().isEmpty()) {
            output.line(VisibleText.lines(result.text()));
        } else if (result.stop() == AgentResult.Stop.ANSWERED) {
            output.remark("the model ended with an empty answer");
        }
        var end = switch (result.stop()) {
            case ANSWERED -> "";
            case CUT_OFF ->
                "the model's answer is cut off; its API says '%s'%s"
                        .formatted(
                                result.cutOff(),
                                result.cutOff().equals("max_tokens") ? "; --max-tokens allows more" : "");
            case MAX_ROUNDS ->
                "the agent ended after %d requests to the model; --max-rounds allows more".formatted(result.rounds());
            case MAX_CALLS ->
                "the agent ended after %d tool calls; --max-calls allows more"
                        .formatted(result.calls().size());
            case TIMEOUT -> "the agent ended since its time is over; --max-time allows more";
        };
        if (end.isEmpty()) {
            return ExitCode.OK;
        }
        output.remark(end);
        return result.stop() == AgentResult.Stop.TIMEOUT ? ExitCode.TIMED_OUT : ExitCode.TOOL_ERROR;
    }

    /** Shows each call in one line when it begins, and in another when it has ended. */
    private record Reporter(Output output) implements AgentListener {

        @Override
        public void started(String tool, String arguments) {
            output.error("> %s %s".formatted(line(tool), line(arguments)));
        }

        @Override
        public void ended(AgentResult.Call call) {
            output.error(
                    "< %s%s %s".formatted(line(call.tool()), call.isError() ? " failed:" : ":", line(call.text())));
        }

        private static String line(String text) {
            return VisibleText.line(text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…");
        }
    }
}
