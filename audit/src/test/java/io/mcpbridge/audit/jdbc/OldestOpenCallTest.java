package io.mcpbridge.audit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Settings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Before which record no call is open. */
class OldestOpenCallTest {
    private static final String NO_HASH = "0".repeat(64);

    private final AuditRecords records = AuditRecords.of(Settings.of(Map.of()), TestEnvironment.usual());
    private final JdbcTrailStore.OldestOpenCall open = new JdbcTrailStore.OldestOpenCall();

    @BeforeEach
    void begin() {
        open.beginAt(0);
    }

    @Test
    void nextStartSearchesFromTheOldestOpenCall() {
        assertThat(open.written(List.of(enter("old", 1), enter("ended", 2), exit("ended", 3))))
                .isEmpty();

        assertThat(before(open.written(List.of(note(10_000))))).contains("1");
    }

    @Test
    void nextStartSearchesAfterTheLastRecordIfAllCallsEnded() {
        var ended = open.written(List.of(enter("a", 1), exit("a", 2), note(10_000)));

        assertThat(before(ended)).contains("10001");
        assertThat(open.written(List.of(note(19_999)))).isEmpty();
        assertThat(before(open.written(List.of(note(20_000))))).contains("20001");
    }

    @Test
    void callsWithTheSameIdAreOpenUntilAllHaveEnded() {
        open.written(List.of(enter("same", 1), enter("same", 2), exit("same", 3)));

        assertThat(before(open.written(List.of(note(10_000))))).contains("1");
    }

    @Test
    void callsFromBeforeATrailChangeSkipNothing() {
        open.written(List.of(enter("lost", 9_000)));
        open.beginAt(0);

        assertThat(before(open.written(List.of(enter("new", 5), exit("new", 6)))))
                .isEmpty();
        open.written(List.of(exit("other", 7)));
        open.beginAt(-JdbcTrailStore.OldestOpenCall.SPAN);
        assertThat(before(open.written(List.of(note(8))))).contains("9");
    }

    @Test
    void foreignNoteMakesTheStartSearchAllRecords() {
        var note = records.note(
                new AuditNote(JdbcTrailStore.OldestOpenCall.ENDED, Map.of("before", "many")), Instant.EPOCH);

        assertThat(JdbcTrailStore.OldestOpenCall.after(line(note, 1))).isZero();
    }

    private static Optional<String> before(Optional<AuditNote> told) {
        return told.flatMap(note -> Optional.ofNullable(note.details().get("before")));
    }

    private ParsedRecord enter(String id, long sequence) {
        return line(records.enter(Events.enter(id), Instant.EPOCH), sequence);
    }

    private ParsedRecord exit(String id, long sequence) {
        return line(records.exit(Events.exit(id), Instant.EPOCH), sequence);
    }

    private ParsedRecord note(long sequence) {
        return line(records.note(new AuditNote("test", Map.of()), Instant.EPOCH), sequence);
    }

    private static ParsedRecord line(RecordBody body, long sequence) {
        return ParsedRecord.parse(
                AuditChain.after(new ChainHead(sequence - 1, NO_HASH)).append(body));
    }
}
