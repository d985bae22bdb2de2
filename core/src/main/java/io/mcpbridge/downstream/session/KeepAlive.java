package io.mcpbridge.downstream.session;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Pings a client that has been silent for a while, and tells when it stays silent. Any thread.
 *
 * <p>Whatever the client sends counts as a sign of life. Where it does not listen, as over HTTP without an open stream
 * or once it has ended its own direction, nobody asks and nobody concludes anything.
 */
final class KeepAlive {
    private final Streams streams;
    private final Duration interval;
    private final Timekeeper timekeeper;
    private final AtomicLong pings = new AtomicLong();
    private final AtomicReference<Alarm> alarm = new AtomicReference<>(Rest.NOT_BEGUN);
    private volatile Consumer<Duration> whenLost = silence -> {};
    private volatile long lastHeard;
    private volatile long due;
    private volatile boolean isAsked;

    /**
     * Watches nobody yet.
     *
     * @param streams where the client listens
     * @param interval how long it may be silent; zero to ask never
     */
    KeepAlive(Streams streams, Duration interval, Timekeeper timekeeper) {
        this.streams = streams;
        this.interval = interval;
        this.timekeeper = timekeeper;
    }

    /** Says who hears for how long a client has been silent that was asked; before it begins. */
    void whenLost(Consumer<Duration> action) {
        whenLost = action;
    }

    /** Begins to watch; once. */
    void begin() {
        if (!interval.isZero()) {
            heard();
            lookIn(interval);
        }
    }

    /** The client has sent something. */
    void heard() {
        lastHeard = timekeeper.nanoTime();
        if (isAsked) {
            isAsked = false;
        }
    }

    void close() {
        alarm.getAndSet(Rest.CLOSED).cancel();
    }

    private void look() {
        var now = timekeeper.nanoTime();
        var silence = Duration.ofNanos(now - lastHeard);
        if (silence.compareTo(interval) < 0) {
            lookIn(interval.minus(silence));
        } else if (isAsked && !streams.isEmpty() && !isLate(now)) {
            whenLost.accept(silence);
        } else {
            ask();
            lookIn(interval);
        }
    }

    private void ask() {
        isAsked = !streams.isEmpty();
        if (isAsked) {
            streams.offer(Request.of(MessageId.of("ping-" + pings.incrementAndGet()), Methods.PING));
        }
    }

    /** Whether this process has slept: what the client said meanwhile may not have been read yet. */
    private boolean isLate(long now) {
        return now - due > TimeUnit.NANOSECONDS.convert(interval) / 2;
    }

    private void lookIn(Duration span) {
        due = timekeeper.nanoTime() + TimeUnit.NANOSECONDS.convert(span);
        var next = timekeeper.schedule(span, this::look);
        if (alarm.getAndUpdate(now -> now == Rest.CLOSED ? now : next) == Rest.CLOSED) {
            next.cancel();
        }
    }

    private enum Rest implements Alarm {
        NOT_BEGUN,
        CLOSED;

        @Override
        public void cancel() {}
    }
}
