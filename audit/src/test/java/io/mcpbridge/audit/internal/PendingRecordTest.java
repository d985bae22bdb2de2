package io.mcpbridge.audit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an event holds that a client chose counts for the bound of the queue. */
class PendingRecordTest {
    private static final FakeTimekeeper TIME = new FakeTimekeeper();
    private static final String LONG = "x".repeat(100_000);
    private static final AuditedCall SHORT_CALL = AuditedCallFixture.of("tools/call", "server", "echo", "");
    private static final AuditedCall LONG_CALL = AuditedCallFixture.of("resources/read", "server", LONG, "");

    @Test
    void nameOfWhatIsCalledCounts() {
        var enter = new ToolEnter(AuditedCallFixture.withId(LONG_CALL, "id"), "{}", "", 1);
        var exit = new ToolExit(AuditedCallFixture.withId(LONG_CALL, "id"), Duration.ZERO, 1, failed("short"));
        var denied = new ToolDenied(AuditedCallFixture.withId(LONG_CALL, "id"), "busy");

        assertIsLarge(PendingRecord.of(enter, new Events.Word(), TIME));
        assertIsLarge(PendingRecord.of(exit, new Events.Word(), TIME));
        assertIsLarge(PendingRecord.of(denied, TIME));
    }

    @Test
    void idOfAClientCounts() {
        var enter = new ToolEnter(AuditedCallFixture.by(SHORT_CALL, "id", Principal.ANONYMOUS, LONG), "{}", "", 1);
        var denied = new ToolDenied(AuditedCallFixture.by(SHORT_CALL, "id", Principal.ANONYMOUS, LONG), "busy");

        assertIsLarge(PendingRecord.of(enter, new Events.Word(), TIME));
        assertIsLarge(PendingRecord.of(denied, TIME));
    }

    @Test
    void messageOfAFailureAndDetailsOfANoteCount() {
        var exit = new ToolExit(AuditedCallFixture.withId(SHORT_CALL, "id"), Duration.ZERO, 1, failed(LONG));
        var note = new AuditNote(AuditNote.FRAME_REFUSED, Map.of("reason", LONG));

        assertIsLarge(PendingRecord.of(exit, new Events.Word(), TIME));
        assertIsLarge(PendingRecord.of(note, TIME));
    }

    private static Outcome failed(String message) {
        return Outcome.failed(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, message));
    }

    private static void assertIsLarge(PendingRecord event) {
        assertThat(event.bytes()).isGreaterThan(LONG.length());
    }
}
