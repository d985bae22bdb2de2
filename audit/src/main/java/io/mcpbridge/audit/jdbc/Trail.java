package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditSink.Durability;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The trail in the database and where it stands, over connections that come and go. For one thread, but for
 * {@link #abort}.
 */
final class Trail implements AutoCloseable {
    /** The note with which each run of a sink begins, when the calls that the last run left open have their exits. */
    static final String OPENED = "opened";

    /** The note that the trail stands elsewhere than where it was left: records are missing, or others wrote. */
    static final String MOVED = "trail-moved";

    private static final int RECOVERED_AT_ONCE = 512;

    private final Connector connector;
    private final TrailSettings settings;
    private final Consumer<AuditNote> notes;
    private volatile @Nullable TrailConnection connection;
    private ChainHead head = ChainHead.START;
    private ChainHead sent = ChainHead.START;
    private List<RecordBody> sentBodies = List.of();
    private List<AuditLine> sentLines = List.of();
    private final OpenEnters openEnters = new OpenEnters();
    private Durability durability = Durability.NONE;

    /**
     * Not connected yet.
     *
     * @param notes hears what the trail itself must show
     */
    Trail(Connector connector, TrailSettings settings, Consumer<AuditNote> notes) {
        this.connector = connector;
        this.settings = settings;
        this.notes = notes;
    }

    /**
     * Connects, and ends the calls that were open when the last run ended.
     *
     * @return what is odd about the trail, which says so itself
     */
    Optional<AuditNote> open(AuditRecords records, Instant now) throws SQLException, TrailTakenException {
        var opened = TrailConnection.open(connector, settings);
        connection = opened;
        durability = opened.durability();
        head = opened.head();
        openEnters.beginAt(head.sequence());
        var otherKey = opened.usedKey().otherThan(records);
        var inDoubt = recover(opened, records, now);
        var note = new AuditNote(OPENED, Map.of("in-doubt", Integer.toString(inDoubt)));
        append(
                opened,
                Stream.concat(Stream.of(note), otherKey.stream())
                        .map(each -> records.note(each, now))
                        .toList());
        records.keepKey();
        return otherKey;
    }

    private int recover(TrailConnection opened, AuditRecords records, Instant now) throws SQLException {
        var after = Math.max(
                opened.lastNote(OPENED).map(AuditLine::sequence).orElse(0L),
                opened.lastNote(OpenEnters.ENDED).map(OpenEnters::after).orElse(0L));
        var count = 0;
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

    TrailSettings settings() {
        return settings;
    }

    /** What a record is worth once it is appended. */
    Durability durability() {
        return durability;
    }

    /** Writes records, unless they are there already since the commit of the last attempt went through unheard. */
    void append(List<RecordBody> bodies) throws SQLException, TrailTakenException {
        var current = connection;
        if (current == null) {
            current = TrailConnection.open(connector, settings);
            connection = current;
            if (isThere(bodies, current)) {
                written();
                return;
            }
        }
        append(current, bodies);
    }

    private void append(TrailConnection current, List<RecordBody> bodies) throws SQLException {
        var chain = AuditChain.after(head);
        var lines = lines(bodies, chain);
        sent = chain.head();
        sentBodies = List.copyOf(bodies);
        sentLines = lines;
        current.append(lines);
        head = sent;
        written();
    }

    /** What was sent last is in the trail. */
    private void written() {
        openEnters.written(sentLines).ifPresent(notes);
        sentBodies = List.of();
        sentLines = List.of();
    }

    /** A body that makes no line that can be read again is at fault itself, and not the database. */
    private static List<AuditLine> lines(List<RecordBody> bodies, AuditChain chain) throws SQLException {
        try {
            return bodies.stream()
                    .map(each -> AuditLine.parse(chain.append(each)))
                    .toList();
        } catch (RuntimeException unreadable) {
            throw new SQLDataException("it is no record", "22000", unreadable);
        }
    }

    /** Whether a commit that nobody heard of brought these records, whatever others wrote behind them since. */
    private boolean isThere(List<RecordBody> bodies, TrailConnection current) throws SQLException {
        var found = current.head();
        var isThere = bodies.equals(sentBodies) && current.holds(sent);
        if (!found.equals(head) && !found.equals(sent)) {
            tellMoved(found);
            openEnters.beginAt(found.sequence());
        }
        head = found;
        return isThere;
    }

    private void tellMoved(ChainHead found) {
        notes.accept(new AuditNote(
                MOVED,
                Map.of(
                        "expected-sequence", Long.toString(head.sequence()),
                        "expected-hash", head.hash(),
                        "found-sequence", Long.toString(found.sequence()),
                        "found-hash", found.hash())));
    }

    /** The connection is of no use any more. */
    void disconnect() {
        var current = connection;
        connection = null;
        if (current != null) {
            current.close();
        }
    }

    /** Wakes the thread that waits for the database; from any thread. */
    void abort() {
        var current = connection;
        if (current != null) {
            current.abort();
        }
    }

    @Override
    public void close() {
        disconnect();
    }
}
