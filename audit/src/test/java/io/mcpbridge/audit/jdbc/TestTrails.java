package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.database.SharedPostgres;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A place for a trail that nobody else has, and sinks that write there. */
record TestTrails(DataSource source, TrailSettings settings) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Long enough that a busy machine is no failure. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    static TestTrails inPostgres() {
        var table = "trails_" + COUNT.incrementAndGet();
        return new TestTrails(SharedPostgres.server().source(), settings(table));
    }

    static TestTrails inSqlite(Path directory) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("audit-" + COUNT.incrementAndGet() + ".db"));
        return new TestTrails(source, settings("audit"));
    }

    private static TrailSettings settings(String table) {
        return TrailSettings.DEFAULTS.withTable(table).withPatience(PATIENCE);
    }

    TestTrails withPatience(Duration patience) {
        return new TestTrails(source, settings.withPatience(patience));
    }

    JdbcAuditSink open() {
        return open(TestEnvironment.usual());
    }

    JdbcAuditSink open(Environment environment) {
        return JdbcAuditSink.of(source, settings, AuditRecords.of(Settings.of(Map.of()), environment), environment);
    }

    JdbcTrailVerifier verifier() {
        return new JdbcTrailVerifier(source, settings);
    }
}
