package io.mcpbridge.audit.jdbc;

import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The settings of one trail in a table.
 *
 * @param trail the name of the trail; a table holds any number of trails, each with one writer at a time
 * @param table the table, with its schema unless that is the default one; created if it is missing
 * @param writeTimeout the time-out of a record, after which its completion fails; from 10 ms to 1 m
 */
public record JdbcTrailSettings(String trail, String table, Duration writeTimeout) {

    private static final Pattern TRAIL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern TABLE = Pattern.compile("([a-z_][a-z0-9_]{0,39}\\.)?[a-z_][a-z0-9_]{0,39}");
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** The trail {@code mcp-bridge} in the table {@code mcp_bridge_audit}, with a time-out of one second. */
    public static final JdbcTrailSettings DEFAULTS =
            new JdbcTrailSettings("mcp-bridge", "mcp_bridge_audit", Duration.ofSeconds(1));

    public JdbcTrailSettings {
        new MistakeCollector()
                .unless(TRAIL.matcher(trail).matches(), "trail", trail, "1 to 64 letters, digits, '.', '_' or '-'")
                .unless(
                        TABLE.matcher(table).matches(),
                        "table",
                        table,
                        "1 to 40 lower-case letters, digits or '_', which may have a schema and '.' before it")
                .unless(
                        writeTimeout.compareTo(SHORTEST) >= 0 && writeTimeout.compareTo(LONGEST) <= 0,
                        "write-timeout",
                        writeTimeout,
                        "from 10ms to 1m")
                .throwIfAny();
    }

    public JdbcTrailSettings withTrail(String other) {
        return new JdbcTrailSettings(other, table, writeTimeout);
    }

    /** Reads the keys of a trail in an {@code audit} section. */
    static JdbcTrailSettings read(Settings settings) {
        return new JdbcTrailSettings(
                settings.text("trail", DEFAULTS.trail),
                settings.text("table", DEFAULTS.table),
                settings.duration("write-timeout", DEFAULTS.writeTimeout));
    }
}
