package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.internal.Backlog;
import io.mcpbridge.audit.internal.Losses;
import io.mcpbridge.audit.internal.Waiting;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that brings records to the database, in the order in which they came.
 *
 * <p>A group that could not be written stays in hand and is sent again on a new connection, until it is there or the
 * sink is closed for {@link #LAST_TRIES}: a commit that nobody heard of is found by the head of the trail.
 */
final class TrailWriter implements Runnable {
    /** How many records go into one transaction. */
    static final int GROUP = 512;

    /** How long the writer goes on trying after the sink was closed. */
    static final Duration LAST_TRIES = Duration.ofSeconds(5);

    private static final Duration AFTER_DEFECT = Duration.ofMillis(50);

    private final Backlog backlog;
    private final AuditRecords records;
    private final Trail trail;
    private final System.Logger logger;
    private final Pauses pauses;
    private volatile String trouble = "";
    private final AtomicLong lost = new AtomicLong();
    private long lastTriesUntil;
    private boolean isGivenUp;

    TrailWriter(Backlog backlog, AuditRecords records, Trail trail, Environment environment) {
        this.backlog = backlog;
        this.records = records;
        this.trail = trail;
        this.logger = environment.logger();
        this.pauses = new Pauses(environment.random());
    }

    /** What keeps it from writing at this moment. */
    Optional<String> trouble() {
        return Optional.of(trouble).filter(each -> !each.isEmpty());
    }

    /** How many records it had to give up so far. */
    long lost() {
        return lost.get();
    }

    @Override
    public void run() {
        try {
            var next = backlog.take(GROUP);
            while (!next.isEmpty()) {
                backlog.settled(write(next));
                next = isGivenUp ? List.of() : backlog.take(GROUP);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError defect) {
            trouble = "the writer has ended: " + defect;
            logger.log(Level.ERROR, "[mcp-bridge] the writer of the audit trail has ended", defect);
        } finally {
            backlog.close();
            forsake();
            trail.close();
        }
    }

    /** What is still here is written by nobody. */
    private void forsake() {
        var rest = backlog.size();
        if (rest > 0) {
            lost.addAndGet(rest);
            logger.log(Level.ERROR, "[mcp-bridge] the audit sink ended before %d records were written".formatted(rest));
        }
        var end = Backlog.unavailable("The audit sink ended before the record was written.");
        backlog.untold().forEach(each -> each.fail(end, logger));
    }

    private Losses write(List<Waiting> waiting) throws InterruptedException {
        var group = new TrailGroup();
        var losses = new Losses();
        for (var each : waiting) {
            losses.addAll(takeIn(each, group));
        }
        if (group.size() == 0) {
            // So that a note of the loss that cannot be made either is not made over and over.
            backlog.rest(AFTER_DEFECT);
        }
        while (group.size() > 0) {
            losses.addAll(attempt(group));
        }
        return losses;
    }

    /** An event of which no record can be made is a loss, and the others shall not suffer for it. */
    private Losses takeIn(Waiting waiting, TrailGroup group) {
        var losses = new Losses();
        try {
            group.add(waiting, records);
        } catch (RuntimeException | LinkageError defect) {
            logger.log(Level.ERROR, "[mcp-bridge] no audit record can be made of an event: " + defect, defect);
            waiting.fail(Backlog.unavailable("The audit record cannot be made."), logger);
            losses.add(waiting.kind());
            lost.incrementAndGet();
        }
        return losses;
    }

    private Losses attempt(TrailGroup group) throws InterruptedException {
        if (isGivenUp) {
            return giveUp(group.fail("the sink was closed meanwhile, and " + trouble, logger));
        }
        try {
            trail.append(group.bodies());
            recovered();
            group.succeed(logger);
            return new Losses();
        } catch (TrailTakenException taken) {
            return failed(group, taken.getMessage());
        } catch (SQLException failed) {
            return SqlTrouble.isOfRecord(failed) ? alone(group, failed) : failed(group, SqlTrouble.words(failed));
        } catch (RuntimeException | LinkageError defect) {
            // A driver or a pool that fails in ways of its own may be well again, as a database may.
            logger.log(Level.DEBUG, "[mcp-bridge] an attempt to write the audit trail failed", defect);
            return failed(group, defect.toString());
        }
    }

    /** One of them cannot be stored, whatever one does, and the others shall not suffer for it. */
    private Losses alone(TrailGroup group, SQLException failed) throws InterruptedException {
        if (group.size() == 1) {
            return giveUp(group.fail("the database does not take it: " + SqlTrouble.words(failed), logger));
        }
        var losses = new Losses();
        for (var single : group.split()) {
            while (single.size() > 0) {
                losses.addAll(attempt(single));
            }
        }
        return losses;
    }

    private Losses failed(TrailGroup group, @Nullable String why) throws InterruptedException {
        trail.disconnect();
        if (trouble.isEmpty()) {
            logger.log(Level.WARNING, "[mcp-bridge] the audit trail cannot be written and is tried again: " + why);
        }
        trouble = String.valueOf(why);
        if (isTimeUp()) {
            isGivenUp = true;
            return giveUp(group.fail("the sink was closed meanwhile, and " + why, logger));
        }
        backlog.rest(pause());
        return new Losses();
    }

    /** No longer than until the last try. */
    private Duration pause() {
        var pause = pauses.next();
        var left = Duration.ofNanos(lastTriesUntil - System.nanoTime());
        return lastTriesUntil != 0 && left.compareTo(pause) < 0 ? left : pause;
    }

    private boolean isTimeUp() {
        if (backlog.isClosed() && lastTriesUntil == 0) {
            lastTriesUntil = System.nanoTime() + LAST_TRIES.toNanos();
        }
        return lastTriesUntil != 0 && System.nanoTime() - lastTriesUntil >= 0;
    }

    private void recovered() {
        if (!trouble.isEmpty()) {
            trouble = "";
            pauses.reset();
            logger.log(Level.INFO, "[mcp-bridge] the audit trail is written again");
        }
    }

    private Losses giveUp(Losses losses) {
        lost.addAndGet(losses.total());
        logger.log(Level.ERROR, "[mcp-bridge] %d audit records were given up".formatted(losses.total()));
        return losses;
    }
}
