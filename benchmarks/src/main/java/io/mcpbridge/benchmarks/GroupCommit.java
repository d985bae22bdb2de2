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
import java.util.concurrent.locks.LockSupport;

/**
 * Durable records per second: 64 callers of the file sink, which syncs records in groups, compared with one caller that
 * writes and syncs each record. The goal is 16 times as many.
 *
 * <p>Like calls in the daemon, a caller has one record in flight and writes the next one when that is durable, without a
 * thread. To show the cost of threads, the same number of threads that block for each record is measured too.
 */
final class GroupCommit {
    private static final int CALLERS = 64;
    private static final int ROUNDS = 5;
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int RECORD_BYTES = 640;
    private static final double WANTED = 16;

    private GroupCommit() {}

    /** Writes one record and returns when it is durable. */
    private interface Recorder {
        void record(String id) throws IOException;
    }

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
            run(
                    end -> inThreads(1, end, id -> writeAndSync(channel)),
                    end -> inThreads(CALLERS, end, id -> enterAndWait(sink, id)),
                    end -> new Callers(sink, end).nanos());
        } finally {
            Peers.delete(folder);
        }
    }

    private static void run(Contest alone, Contest threads, Contest callers) throws InterruptedException {
        for (var contest : List.of(alone, threads, callers)) {
            round(contest);
        }
        Goals.say("| round | one by one: records/s | p50 us | p95 us | 64 threads: records/s | p50 us | p95 us |"
                + " 64 callers: records/s | p50 us | p95 us | times |");
        Goals.say("|---|---|---|---|---|---|---|---|---|---|---|");
        var times = new ArrayList<Double>();
        for (int i = 1; i <= ROUNDS; i++) {
            var each = round(alone);
            var waiting = round(threads);
            var grouped = round(callers);
            times.add(grouped.perSecond() / each.perSecond());
            Goals.say("| %d | %s | %s | %s | %.1f |"
                    .formatted(i, each.cells(), waiting.cells(), grouped.cells(), times.get(i - 1)));
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

    private static List<Long> inThreads(int count, long end, Recorder recorder) throws InterruptedException {
        var nanos = new ArrayList<List<Long>>();
        var callers = new ArrayList<Thread>();
        for (int i = 0; i < count; i++) {
            var own = new ArrayList<Long>();
            nanos.add(own);
            var caller = new Thread(() -> recordUntil(end, recorder, own), "caller-" + i);
            callers.add(caller);
            caller.start();
        }
        for (var caller : callers) {
            caller.join();
        }
        return nanos.stream().flatMap(List::stream).toList();
    }

    private static void recordUntil(long end, Recorder recorder, List<Long> nanos) {
        try {
            for (var start = System.nanoTime(); start < end; ) {
                recorder.record(Thread.currentThread().getName() + nanos.size());
                var now = System.nanoTime();
                nanos.add(now - start);
                start = now;
            }
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

    private static void enterAndWait(AuditSink sink, String id) {
        var waiting = new BlockingCompletion(Thread.currentThread());
        enter(sink, id, waiting);
        while (!waiting.isOver) {
            LockSupport.park(waiting);
        }
    }

    private static void enter(AuditSink sink, String id, Completion durable) {
        var call = new AuditedCall(
                id, "tools/call", "server", "echo", "", "", Principal.ANONYMOUS, "client", TraceParent.NONE);
        sink.enter(new ToolEnter(call, "{\"text\":\"hi\"}", "", System.nanoTime()), durable);
    }

    /** Wakes its caller. */
    private static final class BlockingCompletion implements Completion {
        private final Thread caller;
        private volatile boolean isOver;

        BlockingCompletion(Thread caller) {
            this.caller = caller;
        }

        @Override
        public void succeeded() {
            isOver = true;
            LockSupport.unpark(caller);
        }

        @Override
        public void failed(Throwable why) {
            throw new IllegalStateException(why);
        }
    }

    /** Callers without threads. */
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
