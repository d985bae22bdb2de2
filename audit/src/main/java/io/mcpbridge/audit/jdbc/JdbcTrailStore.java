package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.internal.RecordGroup;
import io.mcpbridge.audit.internal.RecordQueue;
import io.mcpbridge.audit.internal.TrailStore;
import io.mcpbridge.audit.jdbc.SqlDialect.TrailTakenException;
import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.call.JitteredBackoff;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.Durability;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Stores a trail in a table and replaces a connection that breaks. It retries a failed group until the group is in the
 * table, or until {@link #CLOSE_TIMEOUT} after the sink was closed; the head of the trail shows whether a commit
 * without a response succeeded. For one thread, except for {@link #fault} and {@link #abort}.
 */
final class JdbcTrailStore implements TrailStore {
    /** The kind of the first note of each run, after the exits of calls that the last run left open. */
    static final String OPENED = "opened";

    /** The kind of the note that the head of the trail has changed: records are missing, or another process wrote. */
    static final String MOVED = "trail-moved";

    /** The time for which the store retries after the sink was closed. */
    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final JitteredBackoff BACKOFF = new JitteredBackoff(Duration.ofMillis(50), Duration.ofSeconds(5));
    private static final int RECOVERED_AT_ONCE = 512;
    private static final String NOT_KEPT = "the audit record is not kept: ";

    private final ConnectionSource source;
    private final JdbcTrailSettings settings;
    private final RecordQueue queue;
    private final System.Logger logger;
    private final RandomGenerator random;
    private final Timekeeper timekeeper;
    private final OldestOpenCall openCalls = new OldestOpenCall();
    private volatile @Nullable LockedTrail connection;
    private volatile String fault = "";
    private volatile Durability durability = Durability.NONE;
    private ChainHead head = ChainHead.START;
    private long triesUntil;
    private int failures;
    private boolean isGivenUp;

    /** The head after the last group that was sent, whether or not it is in the table. */
    private ChainHead sent = ChainHead.START;

    private List<RecordBody> sentBodies = List.of();
    private List<ParsedRecord> sentLines = List.of();

    /** Makes a store without a connection; it adds notes about the trail to the queue. */
    JdbcTrailStore(ConnectionSource source, JdbcTrailSettings settings, RecordQueue queue, Environment environment) {
        this.source = source;
        this.settings = settings;
        this.queue = queue;
        this.logger = environment.logger();
        this.random = environment.random();
        this.timekeeper = environment.timekeeper();
    }

    /** Connects, and ends the calls that the last run left open. */
    void open(AuditRecords records, Instant now) throws SQLException {
        var opened = LockedTrail.open(source, settings);
        connection = opened;
        try {
            durability = opened.durability();
            head = opened.head();
            openCalls.beginAt(head.sequence());
            int inDoubt = endOpenCalls(opened, records, now);
            var note = new AuditNote(OPENED, Map.of("in-doubt", Integer.toString(inDoubt)));
            append(opened, List.of(records.note(note, now)));
            records.keepKey();
        } catch (SQLException | RuntimeException e) {
            disconnect();
            throw e;
        }
    }

    private int endOpenCalls(LockedTrail opened, AuditRecords records, Instant now) throws SQLException {
        long after = Math.max(
                opened.lastNote(OPENED).map(ParsedRecord::sequence).orElse(0L),
                opened.lastNote(OldestOpenCall.ENDED).map(OldestOpenCall::after).orElse(0L));
        int count = 0;
        var open = opened.openEnters(after, RECOVERED_AT_ONCE);
        while (!open.isEmpty()) {
            append(
                    opened,
                    open.stream().map(enter -> records.inDoubt(enter, now)).toList());
            count += open.size();
            open = opened.openEnters(open.get(open.size() - 1).sequence(), RECOVERED_AT_ONCE);
        }
        return count;
    }

    /** The durability of a committed record. */
    @Override
    public Durability durability() {
        return durability;
    }

    /** The cause for which no record can be written at the moment; empty if records can be written. */
    @Override
    public Optional<String> fault() {
        return Optional.of(fault).filter(each -> !each.isEmpty());
    }

    @Override
    public Duration closeTimeout() {
        return CLOSE_TIMEOUT.plusSeconds(1);
    }

    @Override
    public Duration recordTimeout() {
        return settings.writeTimeout();
    }

    /** Writes records, unless an earlier attempt whose response was lost wrote them. */
    @Override
    public void append(RecordGroup group) throws SQLException {
        if (group.isEmpty()) {
            return;
        }
        if (isGivenUp) {
            throw new SQLException(fault);
        }
        var current = connection;
        if (current == null) {
            current = LockedTrail.open(source, settings);
            connection = current;
            if (isWritten(group.bodies(), current)) {
                onWritten();
                return;
            }
        }
        append(current, group.bodies());
    }

    private void append(LockedTrail current, List<RecordBody> bodies) throws SQLException {
        var chain = AuditChain.after(head);
        var lines = lines(bodies, chain);
        sent = chain.head();
        sentBodies = bodies;
        sentLines = lines;
        current.append(lines);
        head = sent;
        onWritten();
    }

    private void onWritten() {
        openCalls.written(sentLines).ifPresent(queue::note);
        sentBodies = List.of();
        sentLines = List.of();
        if (!fault.isEmpty()) {
            fault = "";
            failures = 0;
            logger.log(Level.INFO, "[mcp-bridge] the audit trail is written again");
        }
    }

    /** Makes the lines of records. A line that cannot be parsed is the fault of its record, not of the database. */
    private static List<ParsedRecord> lines(List<RecordBody> bodies, AuditChain chain) throws SQLException {
        try {
            return bodies.stream()
                    .map(each -> ParsedRecord.parse(chain.append(each)))
                    .toList();
        } catch (RuntimeException e) {
            throw new SQLDataException("the line is not a record", "22000", e);
        }
    }

    /** Whether a commit without a response wrote these records, even if others wrote after them. */
    private boolean isWritten(List<RecordBody> bodies, LockedTrail current) throws SQLException {
        var found = current.head();
        boolean isWritten = bodies.equals(sentBodies) && current.contains(sent);
        if (!found.equals(head) && !found.equals(sent)) {
            noteMoved(found);
            openCalls.beginAt(found.sequence());
        }
        head = found;
        return isWritten;
    }

    private void noteMoved(ChainHead found) {
        var note = new AuditNote(
                MOVED,
                Map.of(
                        "expected-sequence", Long.toString(head.sequence()),
                        "expected-hash", head.hash(),
                        "found-sequence", Long.toString(found.sequence()),
                        "found-hash", found.hash()));
        TrailStore.warn(logger, settings.trail(), note);
        queue.note(note);
    }

    @Override
    public FailureAction onFailure(Throwable failure, RecordGroup group) {
        if (isGivenUp) {
            return giveUp(group, "the sink was closed meanwhile, and " + fault);
        }
        if (failure instanceof SQLException e && SqlErrors.isOfRecord(e)) {
            var why = "the database does not take it: " + SqlErrors.message(e);
            return group.bodies().size() > 1 ? new FailureAction.Split(NOT_KEPT + why) : giveUp(group, why);
        }
        if (!(failure instanceof SQLException || failure instanceof TrailTakenException)) {
            // Another failure of a driver or a pool may be temporary too, so the group is retried.
            logger.log(Level.DEBUG, "[mcp-bridge] an attempt to write the audit trail failed", failure);
        }
        return retry(group, message(failure));
    }

    private static String message(Throwable failure) {
        if (failure instanceof SQLException e) {
            return SqlErrors.message(e);
        }
        return failure instanceof TrailTakenException ? String.valueOf(failure.getMessage()) : failure.toString();
    }

    private FailureAction retry(RecordGroup group, String why) {
        disconnect();
        if (fault.isEmpty()) {
            logger.log(Level.WARNING, "[mcp-bridge] the audit trail cannot be written and is tried again: " + why);
        }
        fault = why;
        if (isTimeUp()) {
            isGivenUp = true;
            return giveUp(group, "the sink was closed meanwhile, and " + why);
        }
        return new FailureAction.Retry(why, pause());
    }

    private boolean isTimeUp() {
        if (queue.isClosed() && triesUntil == 0) {
            triesUntil = timekeeper.nanoTime() + CLOSE_TIMEOUT.toNanos();
        }
        return triesUntil != 0 && timekeeper.nanoTime() - triesUntil >= 0;
    }

    /** The next pause; it ends at the latest when the last attempt is due. */
    private Duration pause() {
        var pause = BACKOFF.after(++failures, random);
        var left = Duration.ofNanos(triesUntil - timekeeper.nanoTime());
        return triesUntil != 0 && left.compareTo(pause) < 0 ? left : pause;
    }

    private FailureAction giveUp(RecordGroup group, String why) {
        logger.log(
                Level.ERROR,
                "[mcp-bridge] %d audit records were given up: %s"
                        .formatted(group.bodies().size(), why));
        return new FailureAction.Drop(NOT_KEPT + why);
    }

    private void disconnect() {
        var current = connection;
        connection = null;
        if (current != null) {
            current.close();
        }
    }

    /** Aborts the connection that the writer waits for, and interrupts a driver that does not return. */
    @Override
    public void abort(Thread writer) {
        var current = connection;
        if (current != null) {
            current.abort();
        }
        writer.interrupt();
    }

    @Override
    public void close() {
        disconnect();
    }

    /**
     * Tracks the calls of this run with an enter record and no exit record. From time to time it makes a note of the first
     * record that may have an open call, so that the next start need not read the whole run. For one thread.
     */
    static final class OldestOpenCall {
        /** The kind of the note that all calls before a given record have ended. */
        static final String ENDED = "calls-ended";

        private static final String BEFORE = "before";

        /** The number of records between two notes. */
        static final int SPAN = 10_000;

        /**
         * The most open calls. More of them mean lost exits: then no more notes are made, and the next start reads from the
         * last note on.
         */
        private static final int MAX_OPEN = 100_000;

        /** By correlation id. */
        private final Map<String, Open> open = new HashMap<>();

        private long next = SPAN;
        private boolean isOverflown;

        /**
         * The open calls of one correlation id; several if clients choose the same id.
         *
         * @param since the sequence of the first enter
         */
        private record Open(long since, int calls) {
            Open andOneMore() {
                return new Open(since, calls + 1);
            }

            @Nullable
            Open andOneLess() {
                return calls == 1 ? null : new Open(since, calls - 1);
            }
        }

        /** Sets the sequence of the head at the start of this run, or after another process changed the trail. */
        void beginAt(long sequence) {
            next = sequence + SPAN;
        }

        /** Processes lines that are in the trail; returns the note that is due, or empty. */
        Optional<AuditNote> written(List<ParsedRecord> lines) {
            lines.forEach(this::take);
            var last = lines.get(lines.size() - 1).sequence();
            if (isOverflown || last < next) {
                return Optional.empty();
            }
            next = last + SPAN;
            // Calls from before a change of the trail may have a higher sequence than the last line.
            var before = open.values().stream().mapToLong(Open::since).reduce(last + 1, Math::min);
            return Optional.of(new AuditNote(ENDED, Map.of(BEFORE, Long.toString(before))));
        }

        private void take(ParsedRecord line) {
            var id = line.text("correlationId").orElse("");
            if (line.type() == RecordType.ENTER) {
                open.merge(id, new Open(line.sequence(), 1), (calls, another) -> calls.andOneMore());
            } else if (line.type() == RecordType.EXIT) {
                open.computeIfPresent(id, (same, calls) -> calls.andOneLess());
            }
            if (open.size() > MAX_OPEN) {
                isOverflown = true;
                open.clear();
            }
        }

        /** The sequence after which calls may be open, according to such a note; 0 if it has none. */
        static long after(ParsedRecord note) {
            var before = note.text("details", BEFORE).filter(text -> text.matches("[1-9][0-9]{0,17}"));
            return before.map(text -> Long.parseLong(text) - 1).orElse(0L);
        }
    }
}
