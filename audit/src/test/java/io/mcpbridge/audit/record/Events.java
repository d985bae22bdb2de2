package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.time.Duration;
import java.time.Instant;

/** Events of one call, and what becomes of them in a trail. */
final class Events {
    static final Instant TIME = Instant.parse("2026-11-22T10:31:32.123456789Z");
    static final String CLOSED =
            "{\"name\":\"get_issue\",\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false},\"inputSchema\":{\"type\":\"object\"}}";

    private static final String ID = "c0ffee-1";
    private static final TraceParent TRACE = new TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    private static final Principal ALICE = new Principal("alice", "token");

    private Events() {}

    static AuditedCall call(String definition) {
        return AuditedCallFixture.of("tools/call", "github", "get_issue", definition);
    }

    static ToolEnter enter(String arguments) {
        return enter(call(CLOSED), arguments);
    }

    static ToolEnter enter(AuditedCall call, String arguments) {
        return new ToolEnter(
                AuditedCallFixture.by(call, ID, ALICE, "claude-desktop", TRACE), arguments, "", 123_456_789L);
    }

    static ToolExit exit(AuditedCall call, Outcome outcome) {
        return new ToolExit(
                AuditedCallFixture.by(call, ID, ALICE, "claude-desktop", TRACE),
                Duration.ofNanos(12_900_000),
                1,
                outcome);
    }

    static ToolExit answered(String result) {
        return answered(call(CLOSED), result);
    }

    static ToolExit answered(AuditedCall call, String result) {
        return exit(call, Outcome.answered(Response.result(MessageId.of(1), result)));
    }

    /** The record of an exit whose call has begun without secrets. */
    static RecordBody ended(AuditRecords records, ToolExit exit) {
        var unused = records.enter(enter("{}"), TIME);
        return records.exit(exit, TIME);
    }

    static ToolExit failed(String message) {
        return exit(call(CLOSED), Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, message)));
    }

    static ToolDenied denied(String tool, String clientId, String reason) {
        var call = AuditedCallFixture.of("tools/call", "github", tool, "");
        return new ToolDenied(AuditedCallFixture.by(call, ID, Principal.ANONYMOUS, clientId), reason);
    }

    /** The line of a record, as the first one of a trail. */
    static String line(RecordBody body) {
        return new String(AuditChain.start().append(body), UTF_8);
    }

    /** The same, read. */
    static ParsedRecord read(RecordBody body) {
        return ParsedRecord.parse(AuditChain.start().append(body));
    }
}
