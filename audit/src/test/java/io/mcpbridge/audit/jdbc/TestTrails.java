package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.database.SharedPostgres;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A trail of one test, and sinks that write it. */
record TestTrails(DataSource source, JdbcTrailSettings settings) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Long enough that a busy machine is no failure. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    static TestTrails inPostgres() {
        var table = "trails_" + COUNT.incrementAndGet();
        return new TestTrails(SharedPostgres.server().source(), settings(table));
    }

    static TestTrails inSqlite(Path directory) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("audit-" + COUNT.incrementAndGet() + ".db"));
        return new TestTrails(source, settings("audit"));
    }

    private static JdbcTrailSettings settings(String table) {
        return new JdbcTrailSettings(JdbcTrailSettings.DEFAULTS.trail(), table, TIMEOUT);
    }

    TestTrails withWriteTimeout(Duration timeout) {
        return new TestTrails(source, new JdbcTrailSettings(settings.trail(), settings.table(), timeout));
    }

    AuditSink open() {
        return open(TestEnvironment.usual());
    }

    AuditSink open(Environment environment) {
        return JdbcAuditSinks.of(source, settings, AuditRecords.of(Settings.of(Map.of()), environment), environment);
    }

    /** All records, a line each. */
    String stored() throws SQLException {
        try (var connection = source.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT line FROM " + settings.table())) {
            var lines = new StringBuilder();
            while (rows.next()) {
                lines.append(rows.getString(1)).append('\n');
            }
            return lines.toString();
        }
    }

    JdbcTrailVerifier verifier() {
        return new JdbcTrailVerifier(source, settings);
    }
}
