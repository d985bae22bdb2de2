package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The connections that carry nothing, the last used first. Used by one thread at a time. */
final class IdleConnections {
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Timekeeper timekeeper;
    private final Duration keepAlive;
    private final Deque<Idle> idle = new ArrayDeque<>();

    IdleConnections(Timekeeper timekeeper, Duration keepAlive) {
        this.timekeeper = timekeeper;
        this.keepAlive = keepAlive;
    }

    void add(Connection connection) {
        idle.addFirst(new Idle(connection, timekeeper.nanoTime() + patience(connection)));
    }

    private long patience(Connection connection) {
        return connection
                .serverKeepAlive()
                .map(theirs -> theirs.minus(MARGIN).toNanos())
                .map(theirs -> Math.min(theirs, keepAlive.toNanos()))
                .orElse(keepAlive.toNanos());
    }

    /** Takes out one that can still be used; ends those that cannot. */
    @Nullable
    Connection take() {
        for (var next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            if (next.connection.isActive() && next.until - timekeeper.nanoTime() > 0) {
                return next.connection;
            }
            next.connection.close();
        }
        return null;
    }

    void remove(Connection connection) {
        idle.removeIf(each -> each.connection == connection);
    }

    /** Ends those whose time is over. */
    void sweep() {
        long now = timekeeper.nanoTime();
        idle.stream().filter(each -> each.until - now <= 0).forEach(each -> each.connection.close());
        idle.removeIf(each -> each.until - now <= 0);
    }

    boolean isEmpty() {
        return idle.isEmpty();
    }

    void clear() {
        idle.clear();
    }

    /** A connection without a turn, and until when it may be used again. */
    private record Idle(Connection connection, long until) {}
}
