package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.tool.ToolHints.Source;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the operator says of one tool; whatever is not said is as for its server. Immutable. */
public final class ToolSettings {
    private static final String READ_ONLY = "read-only";
    private static final String DESTRUCTIVE = "destructive";
    private static final String IDEMPOTENT = "idempotent";
    private static final String OPEN_WORLD = "open-world";
    private static final List<String> HINTS = List.of(READ_ONLY, DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD);

    private final Map<String, Boolean> hints;
    private final Duration timeout;
    private final RetrySettings retry;
    private final ExecutionLimits execution;

    private ToolSettings(Map<String, Boolean> hints, Duration timeout, RetrySettings retry, ExecutionLimits execution) {
        this.hints = Map.copyOf(hints);
        this.timeout = timeout;
        this.retry = retry;
        this.execution = execution;
    }

    /** A tool of which nothing is said. */
    static ToolSettings asTheServer(Duration timeout, RetrySettings retry, ExecutionLimits execution) {
        return new ToolSettings(Map.of(), timeout, retry, execution);
    }

    /** Reads the section {@code tools} of a server, by the names of the tools there. */
    static Map<String, ToolSettings> read(
            Settings server, Mistakes mistakes, ToolSettings otherwise, IsolationSettings isolation) {
        var tools = new LinkedHashMap<String, ToolSettings>();
        if (!server.isSection("tools")) {
            // Some desktop clients have a list of names there.
            return tools;
        }
        server.sections("tools", Set.of(NameFilter.ALLOW, NameFilter.DENY))
                .forEach((name, section) -> mistakes.collect(() -> from(section, otherwise, isolation))
                        .ifPresent(tool -> tools.put(name, tool)));
        return tools;
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
        var timeout = ServerKeys.timeout(section, otherwise.timeout);
        var retry = RetrySettings.from(section, otherwise.retry);
        var execution = ExecutionLimits.from(section, isolation, otherwise.execution);
        return section.finish(() -> new ToolSettings(hints, timeout, retry, execution));
    }

    /** How long each attempt may take. */
    public Duration timeout() {
        return timeout;
    }

    public RetrySettings retry() {
        return retry;
    }

    /** How long a call may run, and how much memory it may take, in a process of its own. */
    public ExecutionLimits execution() {
        return execution;
    }

    /**
     * What counts about repeating the tool: the operator's word before the server's. Where the operator says a part,
     * the rest is what may be relied on without it.
     *
     * @param said the word of the server
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
}
