package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileAuditSinkTest extends AuditSinkContract {

    @TempDir
    Path folder;

    private TestTrail trail;

    @BeforeEach
    void prepare() {
        trail = TestTrail.in(folder).with("mode", "required");
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Override
    protected AuditSink open() {
        return trail.open();
    }

    @Override
    protected String stored() throws Exception {
        return String.join("\n", trail.ids());
    }

    @Test
    void recordsKeepTheOrderOfTheirEvents() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.enter(sink, "1").join();
            sink.denied(new ToolDenied(
                    AuditedCallFixture.by(
                            AuditedCallFixture.of("tools/call", "", "rm", ""), "2", Principal.ANONYMOUS, ""),
                    "no"));
            sink.note(new AuditNote("peer-refused", Map.of("uid", "1001")));
            TestTrail.exit(sink, "1").join();
        }

        assertThat(trail.ids()).containsExactly("1-enter", "2-denied", "peer-refused", "1-exit");
        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void recordsHaveTheTraceOfTheirCall() throws Exception {
        var trace = TraceParent.of("4bf9".repeat(8), "00f0".repeat(4), "01");
        var call = AuditedCallFixture.of("tools/call", "server", "echo", "");
        try (var sink = trail.open()) {
            var completion = new CompletionFuture();
            sink.enter(
                    new ToolEnter(AuditedCallFixture.by(call, "1", Principal.ANONYMOUS, "", trace), "{}", "", 1),
                    completion);
            sink.denied(new ToolDenied(AuditedCallFixture.by(call, "2", Principal.ANONYMOUS, "", trace), "no"));
            completion.future().join();
            TestTrail.exit(sink, "3").join();
        }

        assertThat(trail.records())
                .extracting(record -> record.members().get("traceparent"))
                .containsExactly(trace.text(), trace.text(), null);
        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void finalCheckpointCoversAllRecords() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
        }

        var report = trail.verify();

        assertThat(report.records()).isEqualTo(2);
        assertThat(report.uncovered()).isZero();
        assertThat(report.checkpoints()).isEqualTo(3);
    }

    @Test
    void nextSinkContinuesTheChain() throws Exception {
        for (var id : new String[] {"1", "2", "3"}) {
            try (var sink = trail.open()) {
                TestTrail.call(sink, id);
            }
        }

        assertThat(trail.ids()).containsExactly("1-enter", "1-exit", "2-enter", "2-exit", "3-enter", "3-exit");
        assertThat(trail.verify().holds()).isTrue();
        assertThat(trail.verify().uncovered()).isZero();
    }

    @Test
    void filesAreReadableByTheirOwnerOnly() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
        }

        assertThat(permissions(trail.folder())).isEqualTo("rwx------");
        try (var files = Files.list(trail.folder())) {
            assertThat(files.toList())
                    .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
        }
        assertThat(permissions(folder.resolve("trail.key"))).isEqualTo("rw-------");
    }

    @Test
    void completionThatThrowsDoesNotAffectOthers() throws Exception {
        try (var sink = trail.open()) {
            sink.note(new AuditNote("first", Map.of()));
            sink.exit(TestTrail.exitOf("odd"), new Throwing());
            TestTrail.call(sink, "1");
        }

        assertThat(trail.ids()).containsExactly("first", "odd-exit", "1-enter", "1-exit");
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static final class Throwing implements Completion {

        @Override
        public void succeeded() {
            throw new AssertionError("a completion that throws");
        }

        @Override
        public void failed(Throwable why) {
            throw new AssertionError("a completion that throws");
        }
    }
}
