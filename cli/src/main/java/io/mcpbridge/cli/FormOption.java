package io.mcpbridge.cli;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.cli.trail.CallLines;
import io.mcpbridge.cli.trail.RecordLines;
import io.mcpbridge.cli.trail.TrailForm;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a subcommand writes what it finds in an audit trail. */
final class FormOption {
    private static final Map<String, String> COLOURS = Map.of(
            "ok", "green",
            "input-required", "yellow",
            "open", "yellow",
            "tool-error", "red",
            "error", "red",
            "in-doubt", "red",
            "denied", "red");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Print the records as they are, one a line.")
    private boolean isRaw;

    boolean isForPrograms() {
        return isRaw;
    }

    TrailForm form() {
        return isRaw ? RecordLines.asTheyAre() : lines();
    }

    /** The names of the columns, for people. */
    Optional<String> header() {
        return isForPrograms() ? Optional.empty() : Optional.of(lines().header());
    }

    /** A record for programs. */
    String text(AuditLine record) {
        return record.json();
    }

    private CallLines lines() {
        if (!Ansi.AUTO.enabled()) {
            return CallLines.unbounded();
        }
        var usage = spec.usageMessage().autoWidth(true);
        return CallLines.fitting(usage.width(), FormOption::painted);
    }

    /** Only words that are ours are painted, since the others may hold markup. */
    private static String painted(String outcome) {
        var colour = COLOURS.get(outcome);
        return colour == null ? outcome : Output.painted("@|%s %s|@".formatted(colour, outcome));
    }
}
