package io.mcpbridge.engine;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.mcpbridge.call.Call;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ToolCatalog.ToolFinding;
import io.mcpbridge.spi.ToolCatalog.ToolFinding.Kind;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Reports the catalog's findings about listed tools to the log, the audit and the event bus. */
public record ToolFindingReporter(EventBus events, Consumer<AuditNote> audit, Environment environment)
        implements Consumer<List<ToolFinding>> {
    /** The maximum number of tools named in one log line or audit note; there is an event for each tool. */
    private static final int MAX_NAMED = 10;

    @Override
    public void accept(List<ToolFinding> findings) {
        var present =
                findings.stream().filter(finding -> finding.kind() != Kind.GONE).toList();
        var groups = present.stream()
                .collect(groupingBy(finding -> finding.server() + " " + finding.isWithheld(), TreeMap::new, toList()))
                .values();
        groups.forEach(this::log);
        groups.forEach(this::note);
        present.stream().filter(ToolFinding::isWithheld).forEach(this::publish);
    }

    /** One note per server and listing, so that a long list does not crowd out records of calls. */
    private void note(List<ToolFinding> found) {
        var first = found.get(0);
        audit.accept(new AuditNote(
                first.isWithheld() ? AuditNote.TOOL_QUARANTINED : AuditNote.TOOL_FLAGGED,
                Map.of("server", first.server(), "count", Integer.toString(found.size()), "tools", named(found))));
    }

    private void publish(ToolFinding finding) {
        events.publish(new BridgeEvent.ToolQuarantined(
                finding.server(), Call.newCorrelationId(environment.random()), finding.tool(), finding.reason()));
    }

    /** One line per server and listing. */
    private void log(List<ToolFinding> found) {
        var first = found.get(0);
        var format = first.isWithheld()
                ? "%d tool(s) of server '%s' are quarantined: %s; see 'mcp-bridge lock --diff'"
                : "%d tool(s) of server '%s' need a review: %s; see 'mcp-bridge lock --diff'";
        environment
                .logger()
                .log(Level.WARNING, "[mcp-bridge] " + format.formatted(found.size(), first.server(), named(found)));
    }

    private static String named(List<ToolFinding> found) {
        var named = found.stream()
                .limit(MAX_NAMED)
                .map(finding -> "'%s' (%s)".formatted(finding.shownTool(), finding.reason()))
                .collect(joining(", "));
        return found.size() > MAX_NAMED ? named + " and %d more".formatted(found.size() - MAX_NAMED) : named;
    }
}
