package io.mcpbridge.cli;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.CatalogChoice;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.process.SandboxChoice;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolFinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mcp-bridge lock}: compares what the servers list with the file of approved definitions, and writes it. */
@Command(
        name = "lock",
        mixinStandardHelpOptions = true,
        description = {
            "Compares the tools of the configured servers, which it starts, with the approved ones in mcp.lock.",
            "Writes the file where there is none; else returns 1 where something differs."
        })
final class LockCommand implements Callable<Integer> {

    @ArgGroup
    private @Nullable Wish wish;

    @Parameters(paramLabel = "SERVER", description = "Only these servers; all that are enabled unless given.")
    private List<String> chosen = List.of();

    @Mixin
    private ConfigurationOption file;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        // A server that cannot be asked is told below, once.
        Logging.show(Level.OFF);
        var configuration = BridgeConfiguration.read(file.path(), System.getenv());
        var choice = CatalogChoice.of(configuration);
        var sandbox = SandboxChoice.of(configuration.bridge().plugIns().sandbox());
        try (var environment = StandardEnvironment.open(sandbox.open(new PlainProcessLauncher()));
                var catalog = choice.makeToCompare(environment.environment())) {
            var listed = ServerTools.of(configuration, chosen, environment.environment());
            listed.tools().forEach(catalog::update);
            listed.failures()
                    .forEach((server, why) -> output.error(Table.printable(
                            "server '%s' cannot be asked, and what was approved of it, if anything, stays: %s"
                                    .formatted(server, why))));
            listed.hidden().forEach(this::tellHidden);
            listed.differing().forEach(this::tellDifferent);
            var exitCode = act(catalog, choice.lock());
            return listed.failures().isEmpty() ? exitCode : Integer.valueOf(ExitCode.CANNOT_CONNECT);
        }
    }

    private void tellHidden(String server, Map<String, String> reasons) {
        reasons.forEach((tool, why) -> output.error(
                Table.printable("the tool '%s' of server '%s' is left out: %s".formatted(tool, server, why))));
    }

    private void tellDifferent(String server, List<String> names) {
        var words =
                "server '%s' defines %s otherwise for clients that it can ask something; compared and approved is the"
                        + " definition for clients that it cannot";
        output.error(Table.printable(words.formatted(server, names)));
    }

    private int act(ToolCatalog catalog, Path lock) {
        var isFirst = !Files.exists(lock);
        var findings = catalog.findings();
        var isDiff = wish != null && wish.isDiff;
        var isApproval = (wish != null && wish.isApproval) || (isFirst && !isDiff);
        var details = isFirst && !isDiff ? Details.REMARKS : isDiff || isApproval ? Details.ALL : Details.NONE;
        findings.stream()
                .filter(finding -> details != Details.REMARKS || isRemarkable(finding))
                .forEach(finding -> show(finding, details));
        if (isApproval) {
            catalog.approve();
            var count = catalog.snapshot().tools().values().stream()
                    .mapToInt(List::size)
                    .sum();
            output.styled("@|green approved|@ %d tool(s) of %d server(s) in %s; a running daemon takes them with SIGHUP"
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
            output.styled("@|green ok|@ every tool is as it was approved in " + lock);
            return ExitCode.OK;
        }
        output.line("%d tool(s) differ from %s; %s'mcp-bridge lock --approve' takes them as they are"
                .formatted(differing, lock, isDiff ? "" : "'mcp-bridge lock --diff' shows how, "));
        return ExitCode.TOOL_ERROR;
    }

    private void show(ToolFinding finding, Details details) {
        var colour = finding.kind() == ToolFinding.Kind.GONE ? "white" : "yellow";
        output.styled("@|%s %s|@ ".formatted(colour, finding.kind().text())
                + Table.printable("%s.%s: %s".formatted(finding.server(), finding.tool(), finding.reason())));
        finding.details().stream()
                .filter(line -> details == Details.ALL || (details == Details.REMARKS && isRemark(line)))
                .forEach(line -> output.line("  " + Table.printable(line)));
    }

    private static boolean isRemarkable(ToolFinding finding) {
        return finding.kind() == ToolFinding.Kind.SUSPICIOUS
                || finding.details().stream().anyMatch(LockCommand::isRemark);
    }

    private static boolean isRemark(String line) {
        return line.startsWith("!");
    }

    /** What to do beside saying what differs in one line each. */
    static final class Wish {
        @Option(names = "--diff", description = "Show field by field what differs.")
        private boolean isDiff;

        @Option(names = "--approve", description = "Show it, and approve it as it is now.")
        private boolean isApproval;
    }

    /** How much is shown of what differs. */
    private enum Details {
        NONE,
        REMARKS,
        ALL
    }
}
