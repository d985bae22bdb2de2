package io.mcpbridge.engine.session;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Exchange.Offer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The streams on which a legacy client receives messages that belong to none of its requests. Any thread.
 *
 * <p>A message goes to one stream only, as the specification requires. The bridge pings a silent client on a stream;
 * the client counts as lost if it stays silent. Every message of the client proves it alive. Without a stream, as over
 * HTTP before GET, the client is neither pinged nor lost.
 */
final class LegacyClientStreams implements NotificationSink {
    private final Predicate<Notification> filter;
    private final Duration keepAlive;
    private final Timekeeper timekeeper;
    private final List<Exchange> streams = new CopyOnWriteArrayList<>();
    private final Cancellation gone = new Cancellation();
    private final AtomicLong pings = new AtomicLong();
    private volatile Consumer<Duration> onLost = silence -> {};
    private volatile Alarm alarm = () -> {};
    private volatile long lastReceived;
    private volatile long due;
    private volatile boolean isPinged;

    /**
     * Creates the streams of one client.
     *
     * @param filter selects the notifications of servers that the client wants, such as log messages of its level
     * @param keepAlive how long the client may be silent; zero for no pings
     */
    LegacyClientStreams(Predicate<Notification> filter, Duration keepAlive, Timekeeper timekeeper) {
        this.filter = filter;
        this.keepAlive = keepAlive;
        this.timekeeper = timekeeper;
    }

    /**
     * Sets the listener for a lost client, which receives the length of its silence; call it before the first message.
     */
    void onLost(Consumer<Duration> listener) {
        onLost = listener;
    }

    void add(Exchange stream) {
        streams.add(stream);
        stream.onAbandoned(() -> streams.remove(stream));
        if (gone.isCancelled()) {
            endAll();
        }
    }

    boolean isEmpty() {
        return streams.isEmpty();
    }

    Offer offer(Message message) {
        for (var stream : streams) {
            var offer = stream.offer(message);
            if (offer != Offer.FULL) {
                return offer;
            }
        }
        return Offer.FULL;
    }

    @Override
    public void send(Notification notification) {
        if (filter.test(notification)) {
            offer(notification);
        }
    }

    @Override
    public Cancellation.Registration onClosed(Runnable action) {
        return gone.onCancel(reason -> action.run());
    }

    /** Starts the pings of a silent client; call it once. */
    void beginKeepAlive() {
        if (!keepAlive.isZero()) {
            received();
            checkAfter(keepAlive);
        }
    }

    /** Notes that the client has sent a message. */
    void received() {
        lastReceived = timekeeper.nanoTime();
        if (isPinged) {
            isPinged = false;
        }
    }

    private void check() {
        var now = timekeeper.nanoTime();
        var silence = Duration.ofNanos(now - lastReceived);
        if (silence.compareTo(keepAlive) < 0) {
            checkAfter(keepAlive.minus(silence));
        } else if (isPinged && !isEmpty() && !isLate(now)) {
            onLost.accept(silence);
        } else {
            ping();
            checkAfter(keepAlive);
        }
    }

    private void ping() {
        isPinged = !isEmpty();
        if (isPinged) {
            offer(Request.of(MessageId.of("ping-" + pings.incrementAndGet()), Methods.PING));
        }
    }

    /** Whether this process was suspended: what the client sent meanwhile may not have been read yet. */
    private boolean isLate(long now) {
        return now - due > TimeUnit.NANOSECONDS.convert(keepAlive) / 2;
    }

    private void checkAfter(Duration delay) {
        due = timekeeper.nanoTime() + TimeUnit.NANOSECONDS.convert(delay);
        alarm = timekeeper.schedule(delay, this::check);
        if (gone.isCancelled()) {
            alarm.cancel();
        }
    }

    /** Ends the streams, and those that come later, since the client has disconnected. */
    void close() {
        gone.cancel(CancelReason.CLIENT_GONE);
        alarm.cancel();
        endAll();
    }

    private void endAll() {
        streams.forEach(stream -> stream.end(Ending.empty()));
        streams.clear();
    }
}
