package io.mcpbridge.gateway;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.mcpbridge.call.CorrelationIds;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ToolFinding;
import io.mcpbridge.spi.ToolFinding.Kind;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Tells the log, the audit and whoever hears events what the catalog found of the tools that servers list. */
final class QuarantineReport implements Consumer<List<ToolFinding>> {
    /** The log and the audit name no more tools than these at once; events have them all. */
    private static final int MOST_NAMED = 10;

    private final EventBus events;
    private final Consumer<AuditNote> audit;
    private final Environment environment;

    QuarantineReport(EventBus events, Consumer<AuditNote> audit, Environment environment) {
        this.events = events;
        this.audit = audit;
        this.environment = environment;
    }

    @Override
    public void accept(List<ToolFinding> findings) {
        var concerning =
                findings.stream().filter(finding -> finding.kind() != Kind.GONE).toList();
        var groups = concerning.stream()
                .collect(groupingBy(finding -> finding.server() + " " + finding.isWithheld(), TreeMap::new, toList()))
                .values();
        groups.forEach(this::log);
        groups.forEach(this::note);
        concerning.stream().filter(ToolFinding::isWithheld).forEach(this::publish);
    }

    /** One note for all that was found at once of a server, so that a long list leaves room for the records of calls. */
    private void note(List<ToolFinding> found) {
        var first = found.get(0);
        audit.accept(new AuditNote(
                first.isWithheld() ? AuditNote.TOOL_QUARANTINED : AuditNote.TOOL_FLAGGED,
                Map.of("server", first.server(), "count", Integer.toString(found.size()), "tools", named(found))));
    }

    private void publish(ToolFinding finding) {
        events.publish(new BridgeEvent.ToolQuarantined(
                finding.server(), CorrelationIds.next(environment.random()), finding.tool(), finding.reason()));
    }

    /** One line for all that was found at once of a server. */
    private void log(List<ToolFinding> found) {
        var first = found.get(0);
        var words = first.isWithheld()
                ? "%d tool(s) of server '%s' are quarantined: %s; see 'mcp-bridge lock --diff'"
                : "%d tool(s) of server '%s' should be looked at: %s; see 'mcp-bridge lock --diff'";
        environment
                .logger()
                .log(Level.WARNING, "[mcp-bridge] " + words.formatted(found.size(), first.server(), named(found)));
    }

    private static String named(List<ToolFinding> found) {
        var named = found.stream()
                .limit(MOST_NAMED)
                .map(finding -> "'%s' (%s)".formatted(finding.shownTool(), finding.reason()))
                .collect(joining(", "));
        return found.size() > MOST_NAMED ? named + " and %d more".formatted(found.size() - MOST_NAMED) : named;
    }
}
