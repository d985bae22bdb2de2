package io.mcpbridge.config;

import io.mcpbridge.config.IsolationSettings.ExecutionLimits;
import io.mcpbridge.internal.definition.ToolNameRule;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.tool.ToolHints.Source;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The section of one tool; the defaults are the settings of its server.
 *
 * @param alias the name that clients see instead of the server's own
 * @param hints the hints for retries that the section has, by their keys
 * @param timeout the time-out of each attempt
 * @param retry how often and how patiently a failed call is tried again
 * @param policySection the section of the retry policy, with the keys that the tool or its server has
 * @param execution the limits of a call that has its own process
 */
public record ToolSettings(
        Optional<String> alias,
        Map<String, Boolean> hints,
        Duration timeout,
        RetrySettings retry,
        Settings policySection,
        ExecutionLimits execution) {

    private static final String READ_ONLY = "read-only";
    private static final String DESTRUCTIVE = "destructive";
    private static final String IDEMPOTENT = "idempotent";
    private static final String OPEN_WORLD = "open-world";
    private static final List<String> HINTS = List.of(READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD);

    private static final String ALIAS = "alias";
    private static final String TOOLS = "tools";

    public ToolSettings {
        hints = Map.copyOf(hints);
    }

    /** The settings of a tool without a section. */
    static ToolSettings asTheServer(Duration timeout, RetrySettings retry, Settings server, ExecutionLimits execution) {
        return new ToolSettings(Optional.empty(), Map.of(), timeout, retry, retry.policySection(server), execution);
    }

    private static ToolSettings from(Settings section, ToolSettings otherwise, IsolationSettings isolation) {
        var hints = new LinkedHashMap<String, Boolean>();
        for (var key : HINTS) {
            var said = section.flag(key, false);
            if (section.has(key)) {
                hints.put(key, said);
            }
        }
        if (hints.getOrDefault(READ_ONLY, false) && hints.getOrDefault(DESTRUCTIVE, false)) {
            section.reject(DESTRUCTIVE, "false or left out where '%s' is true".formatted(READ_ONLY));
        }
        var alias = section.text(ALIAS);
        section.require(
                alias.filter(name -> !ToolNameRule.keepsRule(name)).isEmpty(),
                ALIAS,
                "a name of the form " + ToolNameRule.RULE);
        var timeout = ServerSettings.timeout(section, otherwise.timeout);
        var retry = RetrySettings.from(section, otherwise.retry);
        var execution = ExecutionLimits.from(section, isolation, otherwise.execution);
        var policySection = otherwise.policySection.overriddenBy(retry.policySection(section));
        return section.finish(() -> new ToolSettings(alias, hints, timeout, retry, policySection, execution));
    }

    /**
     * The hints for retries. Those in the configuration replace the server's; if the configuration has some, the others count
     * only if the server is trusted.
     *
     * @param said the hints of the server
     */
    public ToolHints hints(ToolHints said) {
        if (hints.isEmpty()) {
            return said;
        }
        var known = said.believed();
        return new ToolHints(
                hints.getOrDefault(READ_ONLY, known.readOnly()),
                hints.getOrDefault(DESTRUCTIVE, known.destructive()),
                hints.getOrDefault(IDEMPOTENT, known.idempotent()),
                hints.getOrDefault(OPEN_WORLD, known.openWorld()),
                Source.OPERATOR);
    }

    /**
     * The section {@code tools} of a server.
     *
     * @param any the settings of a tool without a section
     * @param byName the tools that have sections of their own, by name
     * @param ownNames the own names of tools by their aliases
     * @param filter selects the tools; clients do not see the others
     */
    record Section(
            ToolSettings any, Map<String, ToolSettings> byName, Map<String, String> ownNames, NameFilter filter) {

        static Section of(Settings server, MistakeCollector mistakes, ToolSettings any, IsolationSettings isolation) {
            var byName = new LinkedHashMap<String, ToolSettings>();
            var filter = NameFilter.ALL;
            // Some desktop clients have a list of names there.
            if (server.isSection(TOOLS)) {
                server.sections(TOOLS, Set.of(NameFilter.ALLOW, NameFilter.DENY))
                        .forEach((name, section) -> mistakes.collect(() -> from(section, any, isolation))
                                .ifPresent(tool -> byName.put(name, tool)));
                var section = server.section(TOOLS).allowUnknownKeys();
                var read = NameFilter.from(section);
                filter = mistakes.collect(() -> section.finish(() -> read)).orElse(NameFilter.ALL);
            }
            // Some of them have a list of this name, too.
            var visible = filter.denying(server.texts("disabledTools"));
            return new Section(any, byName, ownNames(server, byName), visible);
        }

        private static Map<String, String> ownNames(Settings server, Map<String, ToolSettings> tools) {
            var ownNames = new LinkedHashMap<String, String>();
            tools.forEach((own, tool) -> tool.alias().ifPresent(shown -> {
                var other = ownNames.putIfAbsent(shown, own);
                if (other != null) {
                    server.reject(
                            TOOLS,
                            "given different aliases; '%s' and '%s' have the alias '%s'".formatted(other, own, shown));
                }
            }));
            return Map.copyOf(ownNames);
        }
    }
}
