package io.mcpbridge.cli.trail;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Writes a trail record by record, with what else a test wants to stand there. For one thread. */
public final class Records {
    private final AuditChain chain = AuditChain.start();
    private final AuditRecords records;
    private final Path folder;
    private Path segment;
    private Instant time = Instant.parse("2026-01-31T08:00:00.000001Z");

    public Records(Path folder) {
        this.folder = folder;
        this.segment = folder;
        try (var environment = StandardEnvironment.open()) {
            this.records = AuditRecords.of(Settings.of(Map.of()), environment.environment());
        }
        rotate();
    }

    /** Begins another segment. */
    public Records rotate() {
        segment = folder.resolve("%020d.jsonl".formatted(chain.head().sequence() + 1));
        return append("");
    }

    /** Sets the clock; each record takes a millisecond. */
    public Records at(String moment) {
        time = Instant.parse(moment);
        return this;
    }

    public Records enter(String call, String tool) {
        return enter(call, tool, "ann", "");
    }

    public Records enter(String call, String tool, String principal, String continues) {
        var who = new Principal(principal, "token");
        return add(records.enter(
                new ToolEnter(AuditedCallFixture.by(call(tool), call, who, "desk"), "{}", continues, 0), tick()));
    }

    /** Begins a call of a server whose process is held. */
    public Records held(String call, String tool, String sandbox) {
        var audited = AuditedCallFixture.of("tools/call", "github", tool, "", sandbox);
        return add(records.enter(
                new ToolEnter(AuditedCallFixture.by(audited, call, new Principal("ann", "token"), "desk"), "{}", "", 0),
                tick()));
    }

    /** Ends a call with an answer. */
    public Records exit(String call, String tool) {
        return exit(call, tool, "{\"content\":[]}");
    }

    public Records exit(String call, String tool, String result) {
        var answer = Response.result(MessageId.of(1), result);
        return add(records.exit(exit(call, tool, Outcome.answered(answer)), tick()));
    }

    /** Ends a call without an answer. */
    public Records fail(String call, String tool, ErrorCode code) {
        var failure = Failure.of(code, "what failed");
        return add(records.exit(exit(call, tool, Outcome.failed(failure)), tick()));
    }

    /** Ends a call as the sink does that takes up a trail after a crash. */
    public Records inDoubt(String call, String tool) {
        var enter = AuditChain.start()
                .append(records.enter(
                        new ToolEnter(
                                AuditedCallFixture.by(call(tool), call, new Principal("ann", "token"), "desk"),
                                "{}",
                                "",
                                0),
                        tick()));
        return add(records.inDoubt(ParsedRecord.parse(enter), tick()));
    }

    public Records denied(String call, String tool, String reason) {
        var who = new Principal("bob", "token");
        return add(records.denied(new ToolDenied(AuditedCallFixture.by(call(tool), call, who, ""), reason), tick()));
    }

    public Records note(String kind) {
        return add(records.note(new AuditNote(kind, Map.of("lost", "3")), tick()));
    }

    /** Appends what is no record, or less than one. */
    public Records append(String text) {
        return append(text.getBytes(UTF_8));
    }

    private Records append(byte[] bytes) {
        try {
            Files.write(segment, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Records add(RecordBody body) {
        return append(new String(chain.append(body), UTF_8) + "\n");
    }

    private Instant tick() {
        time = time.plusMillis(1);
        return time;
    }

    private static AuditedCall call(String tool) {
        return AuditedCallFixture.of("tools/call", "github", tool, "");
    }

    private static ToolExit exit(String call, String tool, Outcome outcome) {
        return new ToolExit(AuditedCallFixture.withId(call(tool), call), Duration.ofMillis(12), 1, outcome);
    }
}
