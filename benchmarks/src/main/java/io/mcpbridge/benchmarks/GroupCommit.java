package io.mcpbridge.benchmarks;

import io.mcpbridge.audit.file.FileAuditSinkProvider;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolEnter;
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
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Records that are on the device before their callers go on: 64 callers of the file sink, which syncs them in groups,
 * beside 64 callers that write and sync each record for itself. The goal: 16 times as many records a second.
 */
final class GroupCommit {
    private static final int CALLERS = 64;
    private static final int ROUNDS = 5;
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int RECORD_BYTES = 640;
    private static final double WANTED = 16;

    private GroupCommit() {}

    /** Records one thing and returns when it is on the device. */
    private interface Recorder {
        void record(String id) throws IOException;
    }

    /** What came of a round. */
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

    /** Makes the rounds in turn, so that both see the same disk, and prints each. */
    public static void main(String[] arguments) throws Exception {
        var folder = Files.createTempDirectory("mcp-bridge-audit");
        try (var timekeeper = new SystemTimekeeper();
                var channel =
                        FileChannel.open(folder.resolve("each"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                var sink = sink(folder, timekeeper)) {
            var lock = new ReentrantLock();
            run(id -> writeAndSync(channel, lock), id -> enter(sink, id));
        } finally {
            remove(folder);
        }
    }

    private static void run(Recorder each, Recorder group) throws InterruptedException {
        round(each);
        round(group);
        Goals.say(
                "| round | one by one: records/s | p50 us | p95 us | in groups: records/s | p50 us | p95 us | times |");
        Goals.say("|---|---|---|---|---|---|---|---|");
        var times = new ArrayList<Double>();
        for (int i = 1; i <= ROUNDS; i++) {
            var alone = round(each);
            var grouped = round(group);
            times.add(grouped.perSecond() / alone.perSecond());
            Goals.say("| %d | %s | %s | %.1f |".formatted(i, alone.cells(), grouped.cells(), times.get(i - 1)));
        }
        times.sort(null);
        Goals.say("");
        Goals.say("| goal | wanted | measured | held |");
        Goals.say("|---|---|---|---|");
        Goals.atLeast("P13 records/s: in groups / one by one, 64 callers, median", WANTED, times.get(ROUNDS / 2));
    }

    private static AuditSink sink(Path folder, SystemTimekeeper timekeeper) {
        var environment = Environment.with(timekeeper, Runnable::run, new PlainProcessLauncher())
                .build();
        var section = Map.of("path", folder.resolve("audit").toString(), "mode", "required");
        return new FileAuditSinkProvider().open(Settings.of(section), environment);
    }

    private static Figures round(Recorder recorder) throws InterruptedException {
        var end = System.nanoTime() + ROUND.toNanos();
        var nanos = new ArrayList<List<Long>>();
        var callers = new ArrayList<Thread>();
        for (int i = 0; i < CALLERS; i++) {
            var own = new ArrayList<Long>();
            nanos.add(own);
            var caller = new Thread(() -> recordUntil(end, recorder, own), "caller-" + i);
            callers.add(caller);
            caller.start();
        }
        for (var caller : callers) {
            caller.join();
        }
        return Figures.of(nanos.stream().flatMap(List::stream).toList());
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

    private static void writeAndSync(FileChannel channel, ReentrantLock lock) throws IOException {
        var record = ByteBuffer.allocate(RECORD_BYTES);
        lock.lock();
        try {
            while (record.hasRemaining()) {
                var unused = channel.write(record);
            }
            channel.force(false);
        } finally {
            lock.unlock();
        }
    }

    private static void enter(AuditSink sink, String id) {
        var waiting = new Waiting(Thread.currentThread());
        var call = new AuditedCall("tools/call", "server", "echo", "");
        sink.enter(
                new ToolEnter(id, call, "{\"text\":\"hi\"}", Principal.ANONYMOUS, "client", System.nanoTime()),
                waiting);
        while (!waiting.isOver) {
            LockSupport.park(waiting);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Lets its caller go on. */
    private static final class Waiting implements Completion {
        private final Thread caller;
        private volatile boolean isOver;

        Waiting(Thread caller) {
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
}
