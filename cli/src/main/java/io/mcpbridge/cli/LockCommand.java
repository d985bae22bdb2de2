package io.mcpbridge.cli;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.engine.ConfiguredCatalog;
import io.mcpbridge.engine.SandboxChoice;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.gateway.PrivatePaths;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalog.ToolFinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mcp-bridge lock}: compares the tools of the servers with the approved definitions, and approves them. */
@Command(
        name = "lock",
        mixinStandardHelpOptions = true,
        description = {
            "Compares the tools of the configured servers, which it starts, with the approved ones in mcp.lock.",
            "Writes the file if there is none; else returns 1 if a tool differs."
        })
final class LockCommand implements Callable<Integer> {

    @ArgGroup
    private @Nullable Action action;

    @Parameters(paramLabel = "SERVER", description = "Only these servers; default: all enabled ones.")
    private List<String> chosen = List.of();

    @Mixin
    private ConfigurationOption file;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        // An unreachable server is reported once, below.
        Logging.show(Level.OFF);
        var configuration = BridgeConfiguration.read(file.path(), System.getenv());
        var choice = ConfiguredCatalog.of(configuration);
        var sandbox = SandboxChoice.of(PrivatePaths.hiddenBySandbox(configuration, DaemonOptions.DEFAULTS));
        try (var environment = StandardEnvironment.open(sandbox.open(new PlainProcessLauncher()));
                var catalog = choice.makeToCompare(environment.environment())) {
            var listed = ServerToolLists.of(configuration, chosen, environment.environment());
            listed.tools().forEach(catalog::update);
            listed.failures()
                    .forEach((server, why) -> output.error(
                            VisibleText.of("cannot list the tools of server '%s'; its approved definitions stay: %s"
                                    .formatted(server, why))));
            listed.hidden().forEach(this::reportHidden);
            listed.differing().forEach(this::reportDiffering);
            var exitCode = act(catalog, choice.lock());
            return listed.failures().isEmpty() ? exitCode : Integer.valueOf(ExitCode.CANNOT_CONNECT);
        }
    }

    private void reportHidden(String server, Map<String, String> reasons) {
        reasons.forEach((tool, why) -> output.error(
                VisibleText.of("the tool '%s' of server '%s' is left out: %s".formatted(tool, server, why))));
    }

    private void reportDiffering(String server, List<String> names) {
        var message = "server '%s' defines %s differently for clients with the capabilities elicitation, sampling and"
                + " roots; the definition for clients without them is compared and approved";
        output.error(VisibleText.of(message.formatted(server, names)));
    }

    private int act(ToolCatalog catalog, Path lock) {
        var isFirst = !Files.exists(lock);
        var findings = catalog.findings();
        var isDiff = action != null && action.isDiff;
        var isFirstApproval = isFirst && !isDiff;
        var isApproval = isFirstApproval || (action != null && action.isApproval);
        Predicate<String> shown = isFirstApproval ? LockCommand::isRemark : line -> isDiff || isApproval;
        findings.stream()
                .filter(finding -> !isFirstApproval || isRemarkable(finding))
                .forEach(finding -> show(finding, shown));
        if (isApproval) {
            catalog.approve();
            var count = catalog.snapshot().tools().values().stream()
                    .mapToInt(List::size)
                    .sum();
            output.styled("@|green approved|@ %d tool(s) of %d server(s) in %s; a running daemon reads them at SIGHUP"
                    .formatted(count, catalog.snapshot().tools().size(), lock));
            return ExitCode.OK;
        }
        return conclude(findings, lock, isDiff);
    }

    private int conclude(List<ToolFinding> findings, Path lock, boolean isDiff) {
        var differing = findings.stream()
                .filter(finding -> finding.kind() != ToolFinding.Kind.SUSPICIOUS)
                .count();
        if (differing == 0) {
            output.styled("@|green ok|@ every tool is as approved in " + lock);
            return ExitCode.OK;
        }
        output.line("%d tool(s) differ from %s; %s'mcp-bridge lock --approve' approves them"
                .formatted(differing, lock, isDiff ? "" : "'mcp-bridge lock --diff' shows how, "));
        return ExitCode.TOOL_ERROR;
    }

    private void show(ToolFinding finding, Predicate<String> shown) {
        var colour = finding.kind() == ToolFinding.Kind.GONE ? "white" : "yellow";
        output.styled("@|%s %s|@ ".formatted(colour, finding.kind().text())
                + VisibleText.of("%s.%s: %s".formatted(finding.server(), finding.tool(), finding.reason())));
        finding.details().stream().filter(shown).forEach(line -> output.line("  " + VisibleText.of(line)));
    }

    private static boolean isRemarkable(ToolFinding finding) {
        return finding.kind() == ToolFinding.Kind.SUSPICIOUS
                || finding.details().stream().anyMatch(LockCommand::isRemark);
    }

    private static boolean isRemark(String line) {
        return line.startsWith("!");
    }

    /** What to do instead of printing one line for each difference. */
    static final class Action {
        @Option(names = "--diff", description = "Show the differences field by field.")
        private boolean isDiff;

        @Option(names = "--approve", description = "Show the differences and approve the tools.")
        private boolean isApproval;
    }
}
