package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.internal.QueuedAuditSink;
import io.mcpbridge.audit.internal.RecordQueue;
import io.mcpbridge.audit.jdbc.SqlDialect.TrailTakenException;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Environment;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Opens sinks that keep a trail in a table of PostgreSQL or SQLite.
 *
 * <p>A completion succeeds when the transaction with its record is committed. While the database is unavailable,
 * records wait in the queue; each is written once when the database is available again. A completion that waits longer
 * than the time-out of the trail fails. At its start a sink writes an exit in doubt for each call that the last run
 * left open.
 */
public final class JdbcAuditSinks {
    /**
     * The time that a start waits for the lock of the trail: a database needs it to notice that a writer was killed.
     */
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

    private static final long LOCK_PAUSE_MILLIS = 100;

    private JdbcAuditSinks() {}

    /**
     * Opens a trail in a database; blocks for the database. The sink holds one connection of {@code source} at a time.
     *
     * @param records makes the records; no other sink may use it
     * @throws ConfigurationException if the database cannot be used, or another sink writes the trail
     */
    public static AuditSink of(
            DataSource source, JdbcTrailSettings settings, AuditRecords records, Environment environment) {
        return of(source::getConnection, settings, records, environment);
    }

    static AuditSink of(
            ConnectionSource source, JdbcTrailSettings settings, AuditRecords records, Environment environment) {
        var queue = new RecordQueue(environment, records, "the database is too slow");
        var store = new JdbcTrailStore(source, settings, queue, environment);
        open(store, settings, records, environment);
        return new QueuedAuditSink("mcp-bridge-audit-jdbc", queue, records, store, environment).start();
    }

    private static void open(
            JdbcTrailStore store, JdbcTrailSettings settings, AuditRecords records, Environment environment) {
        var time = environment.timekeeper();
        long until = time.nanoTime() + LOCK_TIMEOUT.toNanos();
        while (true) {
            try {
                store.open(records, time.now());
                return;
            } catch (TrailTakenException e) {
                if (time.nanoTime() - until >= 0) {
                    throw ConfigurationException.of(String.valueOf(e.getMessage()));
                }
                pause(e);
            } catch (SQLException e) {
                throw SqlErrors.atOpening(e, settings);
            }
        }
    }

    private static void pause(TrailTakenException taken) {
        try {
            TimeUnit.MILLISECONDS.sleep(LOCK_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ConfigurationException.of(String.valueOf(taken.getMessage()));
        }
    }
}
