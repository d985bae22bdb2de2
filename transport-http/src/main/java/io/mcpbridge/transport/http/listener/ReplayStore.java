package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.ByteBudget;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * Stores the event streams that clients may resume, by session. Any thread may use it.
 *
 * <p>A client reaches only the streams of its own session. An unknown stream cannot be distinguished from a dropped
 * one.
 */
final class ReplayStore {
    private static final Pattern EVENT_ID = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
    private static final Duration WINDOW = Duration.ofSeconds(60);
    private static final int SESSIONS_WORTH = 16;

    private final Timekeeper timekeeper;
    private final long maxPerSession;
    private final ByteBudget total;
    private final AtomicLong names = new AtomicLong();
    private final Map<String, SessionStreams> sessions = new ConcurrentHashMap<>();

    ReplayStore(Timekeeper timekeeper, long maxPerSession) {
        this.timekeeper = timekeeper;
        this.maxPerSession = maxPerSession;
        this.total = ByteBudget.of(SESSIONS_WORTH * maxPerSession);
    }

    /** Opens a stream of the session; the exchange is its owner and carrier. */
    ReplayStream open(String session, HttpExchange exchange, boolean isListening) {
        var name = Long.toString(names.incrementAndGet());
        var made = new AtomicReference<ReplayStream>();
        sessions.compute(session, (key, present) -> {
            var streams = present == null
                    ? new SessionStreams(new ReplayBudget(ByteBudget.of(maxPerSession), total))
                    : present;
            var stream = new ReplayStream(name, exchange, isListening, streams.budget);
            streams.byName.put(name, new Entry(stream, timekeeper.nanoTime()));
            made.set(stream);
            return streams;
        });
        return Objects.requireNonNull(made.get());
    }

    /** Finds the stream that an event id names, if it belongs to the session. */
    Optional<Position> find(String session, String eventId) {
        var streams = sessions.get(session);
        var parts = EVENT_ID.matcher(eventId);
        if (streams == null || !parts.matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(streams.byName.get(parts.group(1)))
                .map(entry -> new Position(entry.stream, Long.parseLong(parts.group(2))));
    }

    /** Drops the streams of the session. */
    void end(String session) {
        var streams = sessions.remove(session);
        if (streams != null) {
            streams.byName.values().forEach(entry -> entry.stream.drop());
        }
    }

    /** Drops the streams that were not resumed in time. */
    void sweep() {
        long now = timekeeper.nanoTime();
        sessions.values().forEach(streams -> streams.byName.values().removeIf(entry -> entry.isForgotten(now)));
        sessions.keySet()
                .forEach(key ->
                        sessions.computeIfPresent(key, (name, streams) -> streams.byName.isEmpty() ? null : streams));
    }

    /** A position in a stream. */
    record Position(ReplayStream stream, long number) {

        /** Whether the stream has ended here. */
        boolean isPastEverything() {
            return stream.isOverAfter(number);
        }
    }

    private record SessionStreams(ReplayBudget budget, Map<String, Entry> byName) {
        private SessionStreams(ReplayBudget budget) {
            this(budget, new ConcurrentHashMap<>());
        }
    }

    /** A stream, and when it was last in use. */
    private static final class Entry {
        private final ReplayStream stream;
        private volatile long neededAt;

        private Entry(ReplayStream stream, long neededAt) {
            this.stream = stream;
            this.neededAt = neededAt;
        }

        private boolean isForgotten(long now) {
            if (!stream.isExpendable()) {
                neededAt = now;
                return false;
            }
            boolean isForgotten = now - neededAt > WINDOW.toNanos();
            if (isForgotten) {
                stream.drop();
            }
            return isForgotten;
        }
    }
}
