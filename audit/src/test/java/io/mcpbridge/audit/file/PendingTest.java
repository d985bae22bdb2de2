package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an event holds that a client chose counts for the bound of the queue. */
class PendingTest {
    private static final String LONG = "x".repeat(100_000);
    private static final AuditedCall SHORT_CALL = new AuditedCall("tools/call", "server", "echo", "");
    private static final AuditedCall LONG_CALL = new AuditedCall("resources/read", "server", LONG, "");

    @Test
    void nameOfWhatIsCalledCounts() {
        var enter = new ToolEnter("id", LONG_CALL, "{}", Principal.ANONYMOUS, "client", 1);
        var exit = new ToolExit("id", LONG_CALL, Principal.ANONYMOUS, "client", Duration.ZERO, 1, failed("short"));
        var denied = new ToolDenied("id", LONG_CALL, Principal.ANONYMOUS, "client", "busy");

        assertIsLarge(Pending.of(enter, Instant.EPOCH, new Told()));
        assertIsLarge(Pending.of(exit, Instant.EPOCH, new Told()));
        assertIsLarge(Pending.of(denied, Instant.EPOCH));
    }

    @Test
    void idOfAClientCounts() {
        var enter = new ToolEnter("id", SHORT_CALL, "{}", Principal.ANONYMOUS, LONG, 1);
        var denied = new ToolDenied("id", SHORT_CALL, Principal.ANONYMOUS, LONG, "busy");

        assertIsLarge(Pending.of(enter, Instant.EPOCH, new Told()));
        assertIsLarge(Pending.of(denied, Instant.EPOCH));
    }

    @Test
    void messageOfAFailureAndDetailsOfANoteCount() {
        var exit = new ToolExit("id", SHORT_CALL, Principal.ANONYMOUS, "client", Duration.ZERO, 1, failed(LONG));
        var note = new AuditNote(AuditNote.FRAME_REFUSED, Map.of("reason", LONG));

        assertIsLarge(Pending.of(exit, Instant.EPOCH, new Told()));
        assertIsLarge(Pending.of(note, Instant.EPOCH));
    }

    private static Outcome failed(String message) {
        return Outcome.failed(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, message));
    }

    private static void assertIsLarge(Pending event) {
        assertThat(event.bytes()).isGreaterThan(LONG.length());
    }
}
