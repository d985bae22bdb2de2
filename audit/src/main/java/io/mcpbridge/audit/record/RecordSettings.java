package io.mcpbridge.audit.record;

import io.mcpbridge.audit.redact.RedactionSettings;
import io.mcpbridge.spi.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What records show.
 *
 * @param level of every tool that no pattern fits
 * @param levels by patterns of {@code server.tool}, in which {@code *} stands for any characters
 */
public record RecordSettings(RecordLevel level, Map<String, RecordLevel> levels, RedactionSettings redaction) {

    public static final RecordSettings DEFAULTS =
            new RecordSettings(RecordLevel.METADATA, Map.of(), RedactionSettings.DEFAULTS);

    private static final String RULE = "'metadata', 'arguments' or 'arguments+result'";

    public RecordSettings {
        levels = Map.copyOf(levels);
    }

    /**
     * Reads {@code level}, {@code levels} and {@code redact} of an {@code audit} section, of which the sink reads the
     * rest: mistakes are noted there, and {@link Settings#finish} of the sink tells them.
     */
    public static RecordSettings from(Settings audit) {
        var level = level(audit, "level", audit.text("level"));
        var levels = new LinkedHashMap<String, RecordLevel>();
        var named = audit.section("levels");
        for (var pattern : named.keys()) {
            levels.put(pattern, level(named, pattern, named.text(pattern)));
        }
        audit.noting(() -> named.finish(() -> named), named);
        var redaction = audit.noting(() -> RedactionSettings.from(audit.section("redact")), RedactionSettings.DEFAULTS);
        return new RecordSettings(level, levels, redaction);
    }

    private static RecordLevel level(Settings settings, String key, Optional<String> word) {
        var level = word.flatMap(RecordLevel::of);
        if (word.isPresent() && level.isEmpty()) {
            settings.reject(key, RULE);
        }
        return level.orElse(RecordLevel.METADATA);
    }
}
