package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.internal.RecordQueue;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Row I12: records of large calls take little of the memory that what waits for a slow disk may take. */
@Timeout(60)
class FullQueueTest {
    private static final AuditedCall CALL = AuditedCallFixture.of("tools/call", "s", "t", "");
    private static final int LARGE = 2 << 20;

    @TempDir
    Path folder;

    @Test
    void i12LargeArgumentsAreTruncatedBeforeTheyAreQueued() throws Exception {
        var disk = new FaultyDisk();
        var taken = new ArrayList<CompletableFuture<Void>>();
        try (var trail = TestTrail.in(folder).with("mode", "required").with(disk)) {
            try (var sink = trail.open()) {
                var before = disk.held();
                var gate = disk.hold();
                taken.add(TestTrail.enter(sink, "first"));
                // From here on the writer takes nothing out of the queue any more.
                Eventually.holds("the writer waits for the disk", () -> disk.held() > before);
                var arguments = "{\"a\":\"" + "x".repeat(LARGE) + "\"}";

                for (int i = 0; i < 100; i++) {
                    var completion = new CompletionFuture();
                    sink.enter(
                            new ToolEnter(
                                    AuditedCallFixture.by(CALL, "call-" + i, Principal.ANONYMOUS, ""),
                                    arguments,
                                    "",
                                    1),
                            completion);
                    taken.add(completion.future());
                }

                assertThat(100L * LARGE).isGreaterThan(RecordQueue.MAX_BYTES);
                assertThat(taken).noneMatch(CompletableFuture::isCompletedExceptionally);
                gate.countDown();
            }
            assertThat(taken).allMatch(CompletableFuture::isDone);
            assertThat(trail.verify().holds()).isTrue();
        }
    }
}
