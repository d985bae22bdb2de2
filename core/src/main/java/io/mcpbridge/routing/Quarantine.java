package io.mcpbridge.routing;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolFinding;
import java.util.List;

/** What operators see of the tools of a server that the catalog keeps from clients. */
final class Quarantine {
    private static final String NAME = "catalog.quarantined";

    /** More names than these say nothing more. */
    private static final int MOST_NAMES = 10;

    private Quarantine() {}

    /** How many tools they are, and which; nothing of a catalog that takes every tool. */
    static List<Reading> readings(ToolCatalog catalog, String server) {
        if (!catalog.isStrict()) {
            return List.of();
        }
        var names = catalog.findings().stream()
                .filter(finding -> finding.isWithheld() && finding.server().equals(server))
                .map(ToolFinding::shownTool)
                .distinct()
                .toList();
        return List.of(new Reading(NAME, names.size(), names.isEmpty() ? "" : words(names)));
    }

    private static String words(List<String> names) {
        var shown = names.stream().limit(MOST_NAMES).collect(joining("', '", "'", "'"));
        var rest = names.size() > MOST_NAMES ? " and %d more".formatted(names.size() - MOST_NAMES) : "";
        return "not listed and not callable: %s%s; see 'mcp-bridge lock --diff'".formatted(shown, rest);
    }
}
