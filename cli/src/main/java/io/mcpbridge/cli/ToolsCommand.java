package io.mcpbridge.cli;

import io.mcpbridge.tool.ToolDefinition;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mcp-bridge tools}: what can be called. */
@Command(
        name = "tools",
        mixinStandardHelpOptions = true,
        description = "Lists the tools of the daemon or of one server.")
final class ToolsCommand implements Callable<Integer> {
    private static final int WIDTH = 80;

    @Option(names = "--json", description = "Print the definitions as they are, one JSON array.")
    private boolean isRaw;

    @Mixin
    private TargetOption target;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        try (var connection = target.connect()) {
            var tools = connection.listTools();
            if (isRaw) {
                output.line(tools.stream().map(ToolDefinition::json).collect(Collectors.joining(",\n ", "[", "]")));
                return ExitCode.OK;
            }
            var table = new Table("TOOL", "DESCRIPTION");
            tools.forEach(tool -> table.row(tool.name(), cut(tool.description().orElse(""))));
            table.lines().forEach(output::line);
            return ExitCode.OK;
        }
    }

    private static String cut(String description) {
        var line = description.lines().findFirst().orElse("");
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH) + "…";
    }
}
