package io.mcpbridge.gateway;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The observations of the clients of a canary run. Thread-safe. */
final class CanaryReport implements AutoCloseable {
    private final Duration silence;
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger doubted = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final ScheduledExecutorService alarms =
            Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "test-canary-alarms"));

    /** @param silence the time without message after which a client gives up */
    CanaryReport(Duration silence) {
        this.silence = silence;
    }

    void answered() {
        answered.incrementAndGet();
    }

    void lost(int calls) {
        lost.addAndGet(calls);
    }

    /** The bridge has returned an error for a lost or silent server. */
    void countInDoubt() {
        doubted.incrementAndGet();
    }

    void violation(String what) {
        violations.add(what);
    }

    int answers() {
        return answered.get();
    }

    /** Calls that ended with the server that they were sent to, or timed out. */
    int inDoubtCount() {
        return doubted.get();
    }

    /** Calls that were neither cancelled nor answered. */
    int losses() {
        return lost.get();
    }

    List<String> violations() {
        return violations;
    }

    /** Closes a silent channel, which ends the reading from it. */
    Alarm closeWhenSilent(SocketChannel channel) {
        var alarm = new Alarm(channel);
        alarm.received();
        return alarm;
    }

    @Override
    public void close() {
        alarms.shutdownNow();
    }

    /** For the one thread that reads. */
    final class Alarm implements Closeable {
        private final SocketChannel channel;
        private @Nullable ScheduledFuture<?> pending;

        private Alarm(SocketChannel channel) {
            this.channel = channel;
        }

        void received() {
            close();
            pending = alarms.schedule(this::end, silence.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            if (pending != null) {
                pending.cancel(false);
            }
        }

        private void end() {
            try {
                channel.close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
