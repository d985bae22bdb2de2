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
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.DoubleStream;

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

    /** Writes as many records as possible until a time; returns the duration of each in microseconds. */
    private interface Contest {
        DoubleStream until(long end) throws InterruptedException;
    }

    /** The result of a round. */
    private record Commits(double perSecond, double p50, double p95) {

        static Commits of(double[] sorted) {
            return new Commits(sorted.length * 1e9 / ROUND.toNanos(), Spans.at(sorted, 0.5), Spans.at(sorted, 0.95));
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
            run(end -> syncEach(channel, end), end -> new Writers(sink, end).micros());
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
        var times = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            var each = round(alone);
            var grouped = round(callers);
            times[i] = grouped.perSecond() / each.perSecond();
            Goals.say("| %d | %s | %s | %.1f |".formatted(i + 1, each.cells(), grouped.cells(), times[i]));
        }
        Goals.begin();
        Goals.atLeast("P13 records/s: 64 callers / one by one, median", WANTED, Spans.median(DoubleStream.of(times)));
    }

    private static AuditSink sink(Path folder, SystemTimekeeper timekeeper) {
        var environment = Environment.of(timekeeper, Runnable::run, new PlainProcessLauncher());
        var section = Map.of("path", folder.resolve("audit").toString(), "mode", "required");
        return new FileAuditSinkProvider().open(Settings.of(section), environment);
    }

    private static Commits round(Contest contest) throws InterruptedException {
        return Commits.of(
                contest.until(System.nanoTime() + ROUND.toNanos()).sorted().toArray());
    }

    private static DoubleStream syncEach(FileChannel channel, long end) {
        var micros = DoubleStream.builder();
        try {
            for (var start = System.nanoTime(); start < end; ) {
                writeAndSync(channel);
                var now = System.nanoTime();
                micros.add((now - start) / 1e3);
                start = now;
            }
            return micros.build();
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
    private static final class Writers {
        private final AuditSink sink;
        private final long end;
        private final Queue<Double> micros = new ConcurrentLinkedQueue<>();
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        private final CountDownLatch ended = new CountDownLatch(CALLERS);

        Writers(AuditSink sink, long end) {
            this.sink = sink;
            this.end = end;
        }

        DoubleStream micros() throws InterruptedException {
            for (int i = 0; i < CALLERS; i++) {
                new Writer("caller-" + i).begin();
            }
            ended.await();
            if (!failures.isEmpty()) {
                throw new IllegalStateException(failures.peek());
            }
            return micros.stream().mapToDouble(each -> each);
        }

        /** One caller; also the completion of its records. */
        private final class Writer implements Completion {
            private final String name;
            private long count;
            private long begun;

            Writer(String name) {
                this.name = name;
            }

            private void begin() {
                begun = System.nanoTime();
                enter(sink, name + count++, this);
            }

            @Override
            public void succeeded() {
                var now = System.nanoTime();
                micros.add((now - begun) / 1e3);
                if (now < end) {
                    begin();
                } else {
                    ended.countDown();
                }
            }

            @Override
            public void failed(Throwable why) {
                failures.add(why);
                ended.countDown();
            }
        }
    }
}
