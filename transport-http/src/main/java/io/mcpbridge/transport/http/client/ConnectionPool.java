package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server, kept for reuse. Any thread may use it; nothing in it waits.
 *
 * <p>The connection that was used last is used first. Requests beyond the limit queue up, and what the server
 * waits for, answers to it for example, has a reserve of its own: a full pool must not starve what empties it.
 */
final class ConnectionPool implements Connection.Owner {
    static final int MOST_WAITING = 1024;
    private static final int RESERVE = 16;

    private final Target target;
    private final Dialer dialer;
    private final StreamConnections streams;
    private final Timekeeper timekeeper;
    private final Duration keepAlive;
    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final IdleConnections idle;

    @GuardedBy("lock")
    private final Deque<Turn> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Set<Connection> open = new HashSet<>();

    @GuardedBy("lock")
    private int dialing;

    @GuardedBy("lock")
    private boolean isClosed;

    @GuardedBy("lock")
    private boolean isSweeping;

    ConnectionPool(Target target, Dialer dialer, Timekeeper timekeeper, HttpTransportSettings settings) {
        this.target = target;
        this.dialer = dialer;
        this.streams = new StreamConnections(target, dialer);
        this.timekeeper = timekeeper;
        this.keepAlive = settings.keepAlive();
        this.limit = settings.connections();
        this.idle = new IdleConnections(timekeeper, keepAlive);
    }

    /** Runs the first of all, before any other can come; this thread waits for the server's name to be resolved. */
    void runFirst(Turn turn) {
        lock.lock();
        try {
            dialing++;
        } finally {
            lock.unlock();
        }
        dialer.dialHere(this, (connection, problem) -> dialed(turn, connection, problem));
    }

    /** Runs a request that may queue for its connection. */
    void run(Turn turn) {
        take(turn, limit);
    }

    /** Runs what must not queue behind requests. */
    void runUrgent(Turn turn) {
        take(turn, limit + RESERVE);
    }

    /** Runs what stays open for long, on a connection of its own. */
    void runStream(Turn turn) {
        streams.run(turn);
    }

    private void take(Turn turn, int most) {
        Failure refusal = null;
        Connection ready = null;
        lock.lock();
        try {
            ready = isClosed ? null : idle.take();
            if (isClosed) {
                refusal = target.closed();
            } else if (ready == null && open.size() + dialing < most) {
                dialing++;
            } else if (ready == null && waiting.size() < MOST_WAITING) {
                waiting.add(turn);
                return;
            } else if (ready == null) {
                refusal = overloaded();
            }
        } finally {
            lock.unlock();
        }
        if (refusal != null) {
            turn.cannotConnect(refusal);
        } else if (ready != null) {
            ready.run(turn);
        } else {
            dial(turn);
        }
    }

    private void dial(Turn turn) {
        dialer.dial(this, (connection, problem) -> dialed(turn, connection, problem));
    }

    private void dialed(Turn turn, @Nullable Connection connection, @Nullable Throwable problem) {
        boolean usable = dialed(connection);
        if (usable && connection != null) {
            connection.run(turn);
        } else {
            turn.cannotConnect(problem == null ? target.closed() : target.unreachable(problem));
            dialForNext();
        }
    }

    /** Counts the outcome of a dial; false if there is no connection or nobody wants it any more. */
    private boolean dialed(@Nullable Connection connection) {
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
        Turn next;
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
    public void free(Connection connection) {
        Turn next;
        boolean isSuperfluous;
        lock.lock();
        try {
            isSuperfluous = isClosed || !connection.isActive() || open.size() > limit;
            next = isSuperfluous ? null : waiting.poll();
            if (!isSuperfluous && next == null) {
                idle.add(connection);
                sweepLater();
            }
        } finally {
            lock.unlock();
        }
        if (isSuperfluous) {
            connection.close();
        } else if (next != null) {
            connection.run(next);
        }
    }

    @Override
    public void closed(Connection connection) {
        lock.lock();
        try {
            open.remove(connection);
            idle.remove(connection);
        } finally {
            lock.unlock();
        }
        dialForNext();
    }

    @Override
    public void stale(Turn turn) {
        run(turn);
    }

    /** Ends every connection; what waits for one fails. */
    void close() {
        List<Turn> unserved;
        List<Connection> all;
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
        streams.close();
        unserved.forEach(turn -> turn.cannotConnect(target.closed()));
        all.forEach(Connection::close);
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
            idle.sweep();
            if (!idle.isEmpty() && !isClosed) {
                sweepLater();
            }
        } finally {
            lock.unlock();
        }
    }

    private Failure overloaded() {
        var message = "%d requests to '%s' wait for a connection already, which is the limit; 'connections' is %d";
        return Failure.of(ErrorCode.OVERLOADED, message.formatted(MOST_WAITING, target.url(), limit));
    }
}
