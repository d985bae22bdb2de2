package io.mcpbridge.benchmarks;

import io.mcpbridge.audit.file.FileAuditSinkProvider;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Measures durable records per second: 64 callers of the file sink, which syncs records in groups, compared with one
 * caller that writes and syncs each record. The goal is 16 times as many.
 *
 * <p>Like calls in the daemon, a caller has one record in flight and writes the next one when that is durable, without
 * a thread.
 */
final class GroupCommit {
    private static final int CALLERS = 64;
    private static final int ROUNDS = 5;
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int RECORD_BYTES = 640;
    private static final double WANTED = 16;

    private GroupCommit() {}

    /** Writes as many records as possible until a time; returns the duration of each. */
    private interface Contest {
        List<Long> until(long end) throws InterruptedException;
    }

    /** The result of a round. */
    private record Figures(double perSecond, double p50, double p95) {

        static Figures of(List<Long> nanos) {
            var sorted = nanos.stream().sorted().toList();
            return new Figures(
                    sorted.size() * 1e9 / ROUND.toNanos(),
                    sorted.get(sorted.size() / 2) / 1e3,
                    sorted.get(sorted.size() * 95 / 100) / 1e3);
        }

        String cells() {
            return "%.0f | %.0f | %.0f".formatted(perSecond, p50, p95);
        }
    }

    /** Runs and prints the rounds, interleaved so that all see the same disk. */
    public static void main(String[] arguments) throws Exception {
        var folder = Files.createTempDirectory("mcp-bridge-audit");
        try (var timekeeper = new SystemTimekeeper();
                var channel =
                        FileChannel.open(folder.resolve("each"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                var sink = sink(folder, timekeeper)) {
            run(end -> syncEach(channel, end), end -> new Callers(sink, end).nanos());
        } finally {
            Peers.delete(folder);
        }
    }

    private static void run(Contest alone, Contest callers) throws InterruptedException {
        for (var contest : List.of(alone, callers)) {
            round(contest);
        }
        Goals.say("| round | one by one: records/s | p50 us | p95 us |"
                + " 64 callers: records/s | p50 us | p95 us | times |");
        Goals.say("|---|---|---|---|---|---|---|---|");
        var times = new ArrayList<Double>();
        for (int i = 1; i <= ROUNDS; i++) {
            var each = round(alone);
            var grouped = round(callers);
            times.add(grouped.perSecond() / each.perSecond());
            Goals.say("| %d | %s | %s | %.1f |".formatted(i, each.cells(), grouped.cells(), times.get(i - 1)));
        }
        times.sort(null);
        Goals.begin();
        Goals.atLeast("P13 records/s: 64 callers / one by one, median", WANTED, times.get(ROUNDS / 2));
    }

    private static AuditSink sink(Path folder, SystemTimekeeper timekeeper) {
        var environment = Environment.of(timekeeper, Runnable::run, new PlainProcessLauncher());
        var section = Map.of("path", folder.resolve("audit").toString(), "mode", "required");
        return new FileAuditSinkProvider().open(Settings.of(section), environment);
    }

    private static Figures round(Contest contest) throws InterruptedException {
        return Figures.of(contest.until(System.nanoTime() + ROUND.toNanos()));
    }

    private static List<Long> syncEach(FileChannel channel, long end) {
        var nanos = new ArrayList<Long>();
        try {
            for (var start = System.nanoTime(); start < end; ) {
                writeAndSync(channel);
                var now = System.nanoTime();
                nanos.add(now - start);
                start = now;
            }
            return nanos;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void writeAndSync(FileChannel channel) throws IOException {
        var record = ByteBuffer.allocate(RECORD_BYTES);
        while (record.hasRemaining()) {
            var unused = channel.write(record);
        }
        channel.force(false);
    }

    private static void enter(AuditSink sink, String id, Completion durable) {
        var call = new AuditedCall(
                id, "tools/call", "server", "echo", "", "", Principal.ANONYMOUS, "client", TraceParent.NONE);
        sink.enter(new ToolEnter(call, "{\"text\":\"hi\"}", "", System.nanoTime()), durable);
    }

    /** Callers that need no thread. */
    private static final class Callers {
        private final AuditSink sink;
        private final long end;
        private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
        private final CountDownLatch ended = new CountDownLatch(CALLERS);

        Callers(AuditSink sink, long end) {
            this.sink = sink;
            this.end = end;
        }

        List<Long> nanos() throws InterruptedException {
            for (int i = 0; i < CALLERS; i++) {
                new Lane("caller-" + i).begin();
            }
            ended.await();
            return List.copyOf(nanos);
        }

        /** One caller; also the completion of its records. */
        private final class Lane implements Completion {
            private final String name;
            private long count;
            private long begun;

            Lane(String name) {
                this.name = name;
            }

            private void begin() {
                begun = System.nanoTime();
                enter(sink, name + count++, this);
            }

            @Override
            public void succeeded() {
                var now = System.nanoTime();
                nanos.add(now - begun);
                if (now < end) {
                    begin();
                } else {
                    ended.countDown();
                }
            }

            @Override
            public void failed(Throwable why) {
                throw new IllegalStateException(why);
            }
        }
    }
}
