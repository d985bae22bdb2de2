package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Pools the connections to one server. Any thread may use it; no method waits.
 *
 * <p>The connection that was used last is reused first. Requests beyond the limit are queued. Messages that the server
 * waits for, such as answers to its requests, have reserved connections: a full pool must not block the messages that
 * empty it.
 *
 * <p>Streams that stay open for long have dedicated connections. These neither count against those for requests nor are
 * reused: they form a pool of their own, without idle connections and without a queue.
 */
final class HttpConnectionPool implements HttpConnection.Owner {
    static final int MAX_WAITING = 1024;
    private static final int RESERVE = 16;
    private static final int MAX_STREAMS = 64;

    /** A connection is not reused in the last part of the time for which the server keeps it. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Endpoint endpoint;
    private final Dialer dialer;

    /** The pool for streams; null in that pool itself. */
    private final @Nullable HttpConnectionPool streams;

    private final Timekeeper timekeeper;
    private final Duration keepAlive;
    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();

    /** The connections without a call, the last used one first. */
    @GuardedBy("lock")
    private final Deque<Idle> idle = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Deque<HttpCall> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Set<HttpConnection> open = new HashSet<>();

    @GuardedBy("lock")
    private int dialing;

    @GuardedBy("lock")
    private boolean isClosed;

    @GuardedBy("lock")
    private boolean isSweeping;

    HttpConnectionPool(Endpoint endpoint, Dialer dialer, Timekeeper timekeeper, HttpTransportSettings settings) {
        this(
                endpoint,
                dialer,
                timekeeper,
                settings.keepAlive(),
                settings.connections(),
                new HttpConnectionPool(endpoint, dialer, timekeeper, Duration.ZERO, MAX_STREAMS, null));
    }

    private HttpConnectionPool(
            Endpoint endpoint,
            Dialer dialer,
            Timekeeper timekeeper,
            Duration keepAlive,
            int limit,
            @Nullable HttpConnectionPool streams) {
        this.endpoint = endpoint;
        this.dialer = dialer;
        this.timekeeper = timekeeper;
        this.keepAlive = keepAlive;
        this.limit = limit;
        this.streams = streams;
    }

    /**
     * Opens the first connection, to check that the server can be reached, and keeps it for the first call. It needs
     * only this thread, which waits for the resolution of the server's name, and the event loops.
     */
    CompletableFuture<Void> connectFirst() {
        var connected = new CompletableFuture<Void>();
        lock.lock();
        try {
            dialing++;
        } finally {
            lock.unlock();
        }
        dialer.dialHere(this, (connection, problem) -> {
            if (dialed(connection) && connection != null) {
                connection.free();
                connected.complete(null);
            } else {
                connected.completeExceptionally(TransportException.of(notConnected(problem)));
            }
        });
        return connected;
    }

    /** Runs a call that may queue for its connection. */
    void run(HttpCall call) {
        take(call, limit);
    }

    /** Runs a call that must not queue behind requests. */
    void runUrgent(HttpCall call) {
        take(call, limit + RESERVE);
    }

    /** Runs a call that stays open for long, on a connection of its own. */
    void runStream(HttpCall call) {
        Objects.requireNonNull(streams, "streams").run(call);
    }

    private void take(HttpCall call, int maxConnections) {
        Failure refusal = null;
        HttpConnection ready = null;
        lock.lock();
        try {
            ready = isClosed ? null : takeIdle();
            if (isClosed) {
                refusal = endpoint.closed();
            } else if (ready == null && open.size() + dialing < maxConnections) {
                dialing++;
            } else if (ready == null && streams != null && waiting.size() < MAX_WAITING) {
                waiting.add(call);
                return;
            } else if (ready == null) {
                refusal = overloaded();
            }
        } finally {
            lock.unlock();
        }
        if (refusal != null) {
            call.cannotConnect(refusal);
        } else if (ready != null) {
            ready.run(call);
        } else {
            dial(call);
        }
    }

    /** Removes and returns an idle connection that is usable; closes those that are not any more. */
    @GuardedBy("lock")
    private @Nullable HttpConnection takeIdle() {
        for (var next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            if (next.connection.isActive() && next.until - timekeeper.nanoTime() > 0) {
                return next.connection;
            }
            next.connection.close();
        }
        return null;
    }

    private void dial(HttpCall call) {
        dialer.dial(this, (connection, problem) -> dialed(call, connection, problem));
    }

    private void dialed(HttpCall call, @Nullable HttpConnection connection, @Nullable Throwable problem) {
        boolean usable = dialed(connection);
        if (usable && connection != null) {
            connection.run(call);
        } else {
            call.cannotConnect(notConnected(problem));
            dialForNext();
        }
    }

    private Failure notConnected(@Nullable Throwable problem) {
        return problem == null ? endpoint.closed() : endpoint.unreachable(problem);
    }

    /** Counts the result of a dial; false if there is no connection, or the pool is closed. */
    private boolean dialed(@Nullable HttpConnection connection) {
        lock.lock();
        try {
            dialing--;
            if (connection == null) {
                return false;
            }
            if (!isClosed) {
                return open.add(connection);
            }
        } finally {
            lock.unlock();
        }
        connection.close();
        return false;
    }

    private void dialForNext() {
        HttpCall next;
        lock.lock();
        try {
            next = isClosed || open.size() + dialing >= limit ? null : waiting.poll();
            dialing += next == null ? 0 : 1;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            dial(next);
        }
    }

    @Override
    public void free(HttpConnection connection) {
        HttpCall next;
        boolean isSurplus;
        lock.lock();
        try {
            isSurplus = streams == null || isClosed || !connection.isActive() || open.size() > limit;
            next = isSurplus ? null : waiting.poll();
            if (!isSurplus && next == null) {
                idle.addFirst(new Idle(connection, timekeeper.nanoTime() + maxIdleNanos(connection)));
                sweepLater();
            }
        } finally {
            lock.unlock();
        }
        if (isSurplus) {
            connection.close();
        } else if (next != null) {
            connection.run(next);
        }
    }

    private long maxIdleNanos(HttpConnection connection) {
        return connection
                .serverKeepAlive()
                .map(theirs -> Math.min(theirs.minus(MARGIN).toNanos(), keepAlive.toNanos()))
                .orElse(keepAlive.toNanos());
    }

    @Override
    public void closed(HttpConnection connection) {
        lock.lock();
        try {
            open.remove(connection);
            idle.removeIf(each -> each.connection == connection);
        } finally {
            lock.unlock();
        }
        dialForNext();
    }

    @Override
    public void stale(HttpCall call) {
        run(call);
    }

    /** Closes every connection; the calls that wait for one fail. */
    void close() {
        List<HttpCall> unserved;
        List<HttpConnection> all;
        lock.lock();
        try {
            isClosed = true;
            unserved = new ArrayList<>(waiting);
            all = new ArrayList<>(open);
            waiting.clear();
            idle.clear();
        } finally {
            lock.unlock();
        }
        if (streams != null) {
            streams.close();
        }
        unserved.forEach(call -> call.cannotConnect(endpoint.closed()));
        all.forEach(HttpConnection::close);
    }

    @GuardedBy("lock")
    private void sweepLater() {
        if (!isSweeping) {
            isSweeping = true;
            timekeeper.schedule(keepAlive.plusMillis(1), this::sweep);
        }
    }

    private void sweep() {
        lock.lock();
        try {
            isSweeping = false;
            long now = timekeeper.nanoTime();
            idle.stream().filter(each -> each.until - now <= 0).forEach(each -> each.connection.close());
            idle.removeIf(each -> each.until - now <= 0);
            if (!idle.isEmpty() && !isClosed) {
                sweepLater();
            }
        } finally {
            lock.unlock();
        }
    }

    private Failure overloaded() {
        if (streams == null) {
            var words = "%d streams of '%s' are open already, which is the limit";
            return Failure.of(ErrorCode.OVERLOADED, words.formatted(limit, endpoint.url()));
        }
        var message = "%d requests to '%s' wait for a connection already, which is the limit; 'connections' is %d";
        return Failure.of(ErrorCode.OVERLOADED, message.formatted(MAX_WAITING, endpoint.url(), limit));
    }

    /** An idle connection, and until when it may be used again. */
    private record Idle(HttpConnection connection, long until) {}
}
