package io.mcpbridge.cli.trail;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.audit.file.FileAuditSinkProvider;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A trail that the file sink writes. Any thread may make calls; closing it ends the sink, which signs a checkpoint. */
public final class RealTrail implements AutoCloseable {
    private static final AuditedCall CALL = AuditedCallFixture.of("tools/call", "github", "get_issue", "");
    private static final Outcome ANSWER = Outcome.answered(Response.result(MessageId.of(1), "{\"content\":[]}"));

    private final StandardEnvironment environment = StandardEnvironment.open();
    private final AuditSink sink;

    private RealTrail(Path folder, String segmentSize) {
        var section =
                Map.of("sink", "file", "path", folder.toString(), "segment-size", segmentSize, "mode", "best-effort");
        this.sink = new FileAuditSinkProvider().open(Settings.of(section), environment.environment());
    }

    /** A trail of one segment. */
    public static RealTrail in(Path folder) {
        return new RealTrail(folder, "64MiB");
    }

    /** A trail of many small segments. */
    public static RealTrail rotatingIn(Path folder) {
        return new RealTrail(folder, "4KiB");
    }

    /** Records calls and returns when they are kept. */
    public RealTrail calls(String prefix, int count) {
        for (int i = 0; i < count; i++) {
            var id = prefix + i;
            var kept = new Kept();
            var who = new Principal("ann", "peer-credentials");
            sink.enter(new ToolEnter(AuditedCallFixture.by(CALL, id, who, "desk"), "{}", "", System.nanoTime()), kept);
            kept.await();
            var left = new Kept();
            sink.exit(new ToolExit(AuditedCallFixture.withId(CALL, id), Duration.ofMillis(1), 1, ANSWER), left);
            left.await();
        }
        return this;
    }

    @Override
    public void close() {
        sink.close();
        environment.close();
    }

    /** Waits for a record. */
    private static final class Kept implements Completion {
        private final CompletableFuture<Void> told = new CompletableFuture<>();

        @Override
        public void succeeded() {
            told.complete(null);
        }

        @Override
        public void failed(Throwable why) {
            told.completeExceptionally(why);
        }

        private void await() {
            told.orTimeout(30, java.util.concurrent.TimeUnit.SECONDS).join();
        }
    }
}
