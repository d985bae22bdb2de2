package io.mcpbridge.cli;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.gateway.DaemonClient;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolSearch;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mcp-bridge tools}: lists the tools of the daemon or of one server. */
@Command(
        name = "tools",
        mixinStandardHelpOptions = true,
        description = "Lists the tools of the daemon or of one server.")
final class ToolsCommand implements Callable<Integer> {
    private static final int WIDTH = 80;
    private static final Set<String> INCOMPLETE_STATES = Set.of("connecting", "degraded", "unavailable");

    @Option(names = "--json", description = "Print the definitions as a JSON array.")
    private boolean isRaw;

    @Option(
            names = "--search",
            paramLabel = "WORDS",
            description = "Only tools whose name or description has all words.")
    private @Nullable String query;

    @Mixin
    private TargetOptions target = new TargetOptions();

    @Mixin
    private Output output;

    ToolsCommand(Output output) {
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        requireWord();
        try (var server = target.open(Level.OFF)) {
            var all = server.listTools();
            var tools = query == null ? all : ToolSearch.of(query).in(all);
            var socket = target.adminSocket();
            if (socket.isPresent() && areServersAway(socket.get(), all) && all.isEmpty()) {
                return ExitCode.CANNOT_CONNECT;
            }
            if (isRaw) {
                output.json(
                        tools.stream().map(tool -> tool.json().text()).collect(Collectors.joining(",\n ", "[", "]")));
                return ExitCode.OK;
            }
            var table = new Table("TOOL", "DESCRIPTION");
            tools.forEach(tool -> table.row(tool.name(), cut(tool.description().orElse(""))));
            table.lines().forEach(output::line);
            return ExitCode.OK;
        }
    }

    private void requireWord() {
        if (query != null && ToolSearch.of(query).isEmpty()) {
            throw ConfigurationException.of(
                    "'--search' is '%s' but must have a word; leave it out to list all tools".formatted(query));
        }
    }

    /** Reports servers whose tools are missing in the list on standard error; false if there are none. */
    private boolean areServersAway(Path socket, List<ToolDefinition> tools) throws InterruptedException {
        try (var daemon = DaemonClient.connect(socket)) {
            var away = daemon.servers().stream()
                    .filter(server -> INCOMPLETE_STATES.contains(server.state()))
                    .filter(server ->
                            tools.stream().noneMatch(tool -> tool.name().startsWith(prefix(server))))
                    .toList();
            away.forEach(server -> output.error(VisibleText.of("tools of server '%s' may be missing: it is %s%s"
                    .formatted(server.name(), server.state(), why(server)))));
            return !away.isEmpty();
        } catch (BridgeException unreachable) {
            output.error("cannot ask the daemon whether tools are missing: " + unreachable.getMessage());
            return false;
        }
    }

    private static String prefix(ManagedServerStatus server) {
        return server.name() + ToolNaming.SEPARATOR;
    }

    private static String why(ManagedServerStatus server) {
        return server.error().isEmpty() ? "" : ": " + server.error();
    }

    private static String cut(String description) {
        var line = description.lines().findFirst().orElse("");
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH) + "…";
    }
}
