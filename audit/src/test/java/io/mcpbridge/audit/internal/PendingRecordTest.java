package io.mcpbridge.audit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a record holds that a client chose is cut, and counts for the bound of the queue as far as it is kept. */
class PendingRecordTest {
    private static final FakeTimekeeper TIME = new FakeTimekeeper();
    private static final int MAX_NAME = 4_096;
    private static final String LONG = "x ".repeat(30_000);
    private static final AuditedCall SHORT_CALL = AuditedCallFixture.of("tools/call", "server", "echo", "");
    private static final AuditedCall LONG_CALL = AuditedCallFixture.of("resources/read", "server", LONG, "");

    private final AuditRecords records =
            AuditRecords.of(Settings.of(Map.of("level", "arguments")), TestEnvironment.usual());

    @Test
    void longToolNameIsTruncatedAndCounted() {
        var enter = new ToolEnter(AuditedCallFixture.withId(LONG_CALL, "id"), "{}", "", 1);
        var exit = new ToolExit(AuditedCallFixture.withId(LONG_CALL, "id"), Duration.ZERO, 1, failed("short"));
        var denied = new ToolDenied(AuditedCallFixture.withId(LONG_CALL, "id"), "busy");

        assertIsTruncated(PendingRecord.of(enter, new Events.Word(), TIME));
        assertIsTruncated(PendingRecord.of(exit, new Events.Word(), TIME));
        assertIsTruncated(PendingRecord.of(denied, TIME));
    }

    @Test
    void longClientIdIsTruncatedAndCounted() {
        var enter = new ToolEnter(AuditedCallFixture.by(SHORT_CALL, "id", Principal.ANONYMOUS, LONG), "{}", "", 1);
        var denied = new ToolDenied(AuditedCallFixture.by(SHORT_CALL, "id", Principal.ANONYMOUS, LONG), "busy");

        assertIsTruncated(PendingRecord.of(enter, new Events.Word(), TIME));
        assertIsTruncated(PendingRecord.of(denied, TIME));
    }

    @Test
    void longArgumentsMessagesAndDetailsAreTruncatedAndCounted() {
        var call = AuditedCallFixture.withId(SHORT_CALL, "id");
        var enter = new ToolEnter(call, "{\"text\":\"%s\"}".formatted(LONG), "", 1);
        var exit = new ToolExit(call, Duration.ZERO, 1, failed(LONG));
        var note = new AuditNote(AuditNote.FRAME_REFUSED, Map.of("reason", LONG));

        assertIsTruncated(PendingRecord.of(enter, new Events.Word(), TIME));
        assertIsTruncated(PendingRecord.of(exit, new Events.Word(), TIME));
        assertIsTruncated(PendingRecord.of(note, TIME));
    }

    private static Outcome failed(String message) {
        return Outcome.failed(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, message));
    }

    private void assertIsTruncated(PendingRecord event) {
        event.make(records);

        assertThat(event.bytes()).isGreaterThan(MAX_NAME).isLessThan(LONG.length());
    }
}
