package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.AuditReader;
import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A trail in a folder, with sinks that write it, one after the other, and what reads it. */
final class TestTrail implements AutoCloseable {
    private static final AuditedCall ECHO = AuditedCallFixture.of("tools/call", "server", "echo", "");

    final RecordingLogger log = new RecordingLogger();
    private final Path folder;
    private final Map<String, Object> section = new HashMap<>();
    private final SystemTimekeeper system = new SystemTimekeeper();
    private Timekeeper timekeeper = system;
    private TrailFileSystem disk = TrailFileSystem.ofTheSystem();

    private TestTrail(Path folder) {
        this.folder = folder.resolve("trail");
        section.put("path", this.folder.toString());
        // Its thread begins with the first alarm and would look like one that a sink left behind.
        system.schedule(Duration.ofDays(1), () -> {});
    }

    /** A trail in {@code folder/trail}, its keys beside it. */
    static TestTrail in(Path folder) {
        return new TestTrail(folder);
    }

    TestTrail with(String key, Object value) {
        section.put(key, value);
        return this;
    }

    /** Writes the first record, which is vouched for at once as no later one is. */
    TestTrail begun() {
        try (var sink = open()) {
            sink.note(new AuditNote("begun", Map.of()));
        }
        return this;
    }

    /** A trail of several segments that ended in peace, with so many calls whose ids begin like this. */
    static TestTrail inSegments(Path folder, String ids, int calls) throws IOException {
        var trail = in(folder).with("segment-size", "4KiB");
        try (var sink = trail.open()) {
            for (int i = 0; i < calls; i++) {
                call(sink, ids + i);
            }
        }
        assertThat(trail.segments()).hasSizeGreaterThan(1);
        assertThat(trail.verify().holds()).isTrue();
        return trail;
    }

    List<Segment> segments() throws IOException {
        return Segment.in(folder);
    }

    TestTrail with(Timekeeper other) {
        timekeeper = other;
        return this;
    }

    TestTrail with(TrailFileSystem other) {
        disk = other;
        return this;
    }

    Path folder() {
        return folder;
    }

    /** A sink that takes the trail up. */
    AuditSink open() {
        var settings = Settings.of(section);
        var environment = environment();
        FileAuditSinkProvider.requireUsable(folder);
        var records = AuditRecords.of(settings, environment, FileAuditSettings.redactionKey(folder));
        return FileAuditSinkProvider.open(FileAuditSettings.from(settings, Map.of()), records, environment, disk);
    }

    Environment environment() {
        return Environment.of(timekeeper, Runnable::run, new PlainProcessLauncher())
                .withLogger(log);
    }

    /** Takes all checkpoints away but the first ones. */
    void keepCheckpoints(int count) throws IOException {
        var file = folder.resolve("checkpoints");
        Files.write(file, Files.readAllLines(file).subList(0, 5 * count));
    }

    /** The keys that its checkpoints are signed with. */
    List<VerificationKey> keys() throws IOException {
        return VerificationKey.read(folder.resolveSibling("trail.pub"));
    }

    boolean verifies() {
        try {
            return verify().holds();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    AuditReport verify() throws IOException {
        return AuditVerifier.verify(folder, keys());
    }

    /** Its records, as a reader sees them. */
    List<ParsedRecord> records() throws IOException {
        var records = new ArrayList<ParsedRecord>();
        try (var reader = AuditReader.open(folder)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                records.add(next.get());
            }
        }
        return records;
    }

    /** Their ids, where a note shows its kind. */
    List<String> ids() throws IOException {
        return records().stream()
                .map(each -> each.text("kind").orElseGet(each::id))
                .toList();
    }

    static CompletableFuture<Void> enter(AuditSink sink, String id) {
        var completion = new CompletionFuture();
        sink.enter(new ToolEnter(AuditedCallFixture.withId(ECHO, id), "{\"text\":\"hi\"}", "", 1), completion);
        return completion.future();
    }

    static CompletableFuture<Void> enter(AuditSink sink, String id, String user) {
        var completion = new CompletionFuture();
        var call = AuditedCallFixture.by(ECHO, id, new Principal(user, "token"), "");
        sink.enter(new ToolEnter(call, "{}", "", 1), completion);
        return completion.future();
    }

    static CompletableFuture<Void> exit(AuditSink sink, String id) {
        var completion = new CompletionFuture();
        sink.exit(exitOf(id), completion);
        return completion.future();
    }

    static ToolExit exitOf(String id) {
        var answer = Outcome.answered(Response.result(MessageId.of(1), "{\"content\":[]}"));
        return new ToolExit(AuditedCallFixture.withId(ECHO, id), Duration.ofMillis(3), 1, answer);
    }

    /** Enters and exits, and waits for both completions. */
    static void call(AuditSink sink, String id) {
        enter(sink, id).join();
        exit(sink, id).join();
    }

    @Override
    public void close() {
        system.close();
    }
}
