package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.internal.Backlog;
import io.mcpbridge.audit.internal.OddTrail;
import io.mcpbridge.audit.internal.Patience;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Keeps a trail in a table of PostgreSQL or SQLite. Any thread may use it; only {@link #of} and {@link #close} wait.
 *
 * <p>A completion is told when the transaction with its record has been committed. Where the database is away, records
 * wait in line, whose bounds are those of every sink, and are written when it is back, each of them once; whoever
 * waits for one longer than the trail's patience is told that it failed. Calls that the last run left open get an
 * exit that says so when the trail is opened.
 */
public final class JdbcAuditSink implements AuditSink {
    /** A driver that hangs is broken off when the writer has had its time. */
    private static final Duration END_OF_WRITER = TrailWriter.LAST_TRIES.plusSeconds(1);

    private static final Duration END_OF_DRIVER = Duration.ofSeconds(2);

    private final Backlog backlog;
    private final Patience patience;
    private final Trail trail;
    private final TrailWriter writer;
    private final System.Logger logger;
    private final Thread thread;

    private JdbcAuditSink(Backlog backlog, Patience patience, Trail trail, TrailWriter writer, System.Logger logger) {
        this.backlog = backlog;
        this.patience = patience;
        this.trail = trail;
        this.writer = writer;
        this.logger = logger;
        this.thread = new Thread(writer, "mcp-bridge-audit-jdbc");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Opens a trail in the database of a program; the sink has one connection of {@code source} at a time.
     *
     * @param records makes the records; no other sink may use it
     * @throws io.mcpbridge.failure.ConfigurationException if the database cannot be used, or somebody else writes the
     *     trail
     */
    public static JdbcAuditSink of(
            DataSource source, TrailSettings settings, AuditRecords records, Environment environment) {
        return open(source::getConnection, settings, records, environment);
    }

    static JdbcAuditSink open(
            Connector connector, TrailSettings settings, AuditRecords records, Environment environment) {
        var backlog = new Backlog(environment);
        var trail = TrailOpening.open(
                new Trail(connector, settings, note -> tell(note, settings, backlog, environment)),
                records,
                environment);
        var writer = new TrailWriter(backlog, records, trail, environment);
        var patience = new Patience(
                backlog,
                environment,
                settings.patience(),
                () -> writer.trouble().orElse("the database is slow"));
        return new JdbcAuditSink(backlog, patience, trail, writer, environment.logger());
    }

    private static void tell(AuditNote note, TrailSettings settings, Backlog backlog, Environment environment) {
        if (note.kind().equals(Trail.MOVED)) {
            OddTrail.warn(environment.logger(), settings.trail(), note);
        }
        backlog.note(note);
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        backlog.enter(event, durable);
        patience.watch();
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        backlog.exit(event, durable);
        patience.watch();
    }

    @Override
    public void denied(ToolDenied event) {
        backlog.denied(event);
    }

    @Override
    public void note(AuditNote note) {
        backlog.note(note);
    }

    @Override
    public Durability durability() {
        return trail.durability();
    }

    @Override
    public Optional<String> trouble() {
        return writer.trouble();
    }

    @Override
    public List<Reading> readings() {
        return List.of(
                new Reading("audit.waiting", backlog.size(), "records that are not written yet"),
                new Reading("audit.lost", writer.lost(), "records that were given up"));
    }

    /** Writes what waits, for some seconds if the database is away, and ends. */
    @Override
    public void close() {
        backlog.close();
        try {
            if (!ends(END_OF_WRITER)) {
                trail.abort();
                thread.interrupt();
                if (!ends(END_OF_DRIVER)) {
                    // The driver never comes back, and nobody is to wait for it.
                    var end = Backlog.unavailable("The database did not take the audit record before the sink ended.");
                    backlog.untold().forEach(each -> each.fail(end, logger));
                }
            }
        } catch (InterruptedException hurry) {
            trail.abort();
            Thread.currentThread().interrupt();
        }
    }

    private boolean ends(Duration bound) throws InterruptedException {
        thread.join(bound.toMillis());
        return !thread.isAlive();
    }
}
