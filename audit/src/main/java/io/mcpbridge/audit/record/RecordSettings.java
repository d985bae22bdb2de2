package io.mcpbridge.audit.record;

import io.mcpbridge.audit.redact.RedactionSettings;
import io.mcpbridge.spi.Settings;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings for what records show.
 *
 * @param level the level of each tool that no pattern matches
 * @param levels the levels by pattern of {@code server.tool}, in which {@code *} matches any characters
 */
public record RecordSettings(Level level, Map<String, Level> levels, RedactionSettings redaction) {

    public static final RecordSettings DEFAULTS =
            new RecordSettings(Level.METADATA, Map.of(), RedactionSettings.DEFAULTS);

    public RecordSettings {
        levels = Map.copyOf(levels);
    }

    /**
     * Reads {@code level}, {@code levels} and {@code redact} of an {@code audit} section. Mistakes are noted there, and
     * {@link Settings#finish} of the sink, which reads the rest, reports them.
     */
    public static RecordSettings from(Settings audit) {
        var level = level(audit, "level");
        var levels = new LinkedHashMap<String, Level>();
        var named = audit.section("levels");
        for (var pattern : named.keys()) {
            levels.put(pattern, level(named, pattern));
        }
        audit.noting(() -> named.finish(() -> named), named);
        var redaction = audit.noting(() -> RedactionSettings.from(audit.section("redact")), RedactionSettings.DEFAULTS);
        return new RecordSettings(level, levels, redaction);
    }

    private static Level level(Settings settings, String key) {
        return settings.choice(key, Level.values(), Level::word, "'metadata', 'arguments' or 'arguments+result'")
                .orElse(Level.METADATA);
    }

    /** The detail of the records of a call; every level includes sizes and hashes. */
    public enum Level {
        /** Client, tool, time and outcome, but not the message of an error, which may quote arguments. */
        METADATA("metadata"),
        /** Also the arguments and the messages of errors. */
        ARGUMENTS("arguments"),
        /** Also the arguments, the messages of errors and the result. */
        RESULT("arguments+result");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        /** The word in the configuration and in records. */
        public String word() {
            return word;
        }
    }
}
