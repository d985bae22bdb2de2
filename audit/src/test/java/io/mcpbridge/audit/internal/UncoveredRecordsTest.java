package io.mcpbridge.audit.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.ParsedRecord;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which records behind the last checkpoint no writer leaves there. */
class UncoveredRecordsTest {
    private static final Instant BEGIN = Instant.parse("2026-01-31T08:00:00Z");
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private final UncoveredRecords uncovered = new UncoveredRecords(100);
    private long sequence = 100;
    private Instant now = BEGIN;

    @Test
    void uncoveredRecordsOfANormalWriterAreNotAFault() {
        read(UncoveredRecords.MAX_RECORDS + 513, MILLISECOND);

        assertThat(uncovered.fault()).isEmpty();
        assertThat(uncovered.remark()).isEmpty();
    }

    @Test
    void moreUncoveredRecordsAreAFault() {
        read(UncoveredRecords.MAX_RECORDS + 1_001, MILLISECOND);

        assertThat(uncovered.fault())
                .hasValueSatisfying(words -> assertThat(words)
                        .contains("records 101 to 9101 have no checkpoint", "one after 8000 records at the latest"));
    }

    @Test
    void exitsWrittenByAStartDoNotCount() {
        for (int i = 0; i < 2 * UncoveredRecords.MAX_RECORDS; i++) {
            read(1, "\"inDoubt\":true", "tool.call.exit", now);
        }

        assertThat(uncovered.fault()).isEmpty();
    }

    @Test
    void recordsUncoveredForTooLongAreARemark() {
        read(400, Duration.ofSeconds(1));

        assertThat(uncovered.fault()).isEmpty();
        assertThat(uncovered.remark())
                .hasValueSatisfying(words -> assertThat(words).contains("they came in 399 s"));
    }

    @Test
    void suspendOrClockChangeCausesNoRemark() {
        read(50, MILLISECOND);
        now = now.plus(Duration.ofHours(8));
        read(50, MILLISECOND);
        now = now.minus(Duration.ofHours(4));
        read(50, MILLISECOND);
        now = now.plus(Duration.ofHours(2));
        read(50, MILLISECOND);

        assertThat(uncovered.remark()).isEmpty();
    }

    @Test
    void segmentAfterANotedDiskFaultIsARemark() {
        read(10, MILLISECOND);
        read(sequence + 1, "\"details\":{},\"kind\":\"sync-failed\"", "audit.note", now);

        assertThat(uncovered.fault()).isEmpty();
        assertThat(uncovered.remark())
                .hasValueSatisfying(words -> assertThat(words).contains("after the fault that the trail notes"));
    }

    @Test
    void segmentAfterUncoveredRecordsIsAFault() {
        read(10, MILLISECOND);
        read(sequence + 1, "\"method\":\"tools/call\"", "tool.call.enter", now);

        assertThat(uncovered.fault())
                .hasValueSatisfying(words -> assertThat(words).contains("in a segment that ended"));
    }

    private void read(int count, Duration pause) {
        for (int i = 0; i < count; i++) {
            read(1, "\"method\":\"tools/call\"", "tool.call.enter", now);
            now = now.plus(pause);
        }
    }

    private void read(long first, String data, String type, Instant time) {
        sequence++;
        var line =
                "{\"data\":{%s},\"datacontenttype\":\"application/json\",\"id\":\"1\",\"sequence\":\"%020d\",\"source\":\"/mcp-bridge\",\"specversion\":\"1.0\",\"time\":\"%s\",\"type\":\"io.mcpbridge.%s\",\"zhash\":\"%s\"}"
                        .formatted(data, sequence, time, type, "0".repeat(64));
        uncovered.read(ParsedRecord.parse(line.getBytes(UTF_8)), first);
    }
}
