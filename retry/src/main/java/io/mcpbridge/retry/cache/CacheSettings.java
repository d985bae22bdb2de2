package io.mcpbridge.retry.cache;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of the response cache of one server.
 *
 * @param tools for how long results of read-only tools are cached, by the name of the tool; results of others are not
 * @param entries how many responses are cached; at least 1
 * @param bytes how many bytes they may have together; at least 1
 */
public record CacheSettings(Map<String, Duration> tools, int entries, int bytes) {

    public static final CacheSettings DEFAULTS = new CacheSettings(Map.of(), 1024, 16 << 20);

    private static final Duration LONGEST = Duration.ofHours(24);

    public CacheSettings {
        tools = Collections.unmodifiableMap(new LinkedHashMap<>(tools));
        new MistakeCollector()
                .unless(entries >= 1, "entries", entries, "at least 1")
                .unless(bytes >= 1, "bytes", bytes, "at least 1B")
                .throwIfAny();
    }

    /**
     * Reads a {@code cache} section; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static CacheSettings from(Settings settings) {
        var section = settings.section("tools");
        var tools = new LinkedHashMap<String, Duration>();
        for (var tool : section.keys()) {
            var span = section.duration(tool);
            span.ifPresent(kept -> tools.put(tool, kept));
            if (span.filter(kept -> kept.isZero() || kept.compareTo(LONGEST) > 0)
                    .isPresent()) {
                section.reject(tool, "longer than zero and at most 24h");
            }
        }
        var kept = settings.noting(() -> section.finish(() -> tools), tools);
        var entries = settings.integer("entries", DEFAULTS.entries);
        var bytes = settings.bytes("bytes", DEFAULTS.bytes);
        return settings.finish(() -> new CacheSettings(kept, entries, bytes));
    }
}
