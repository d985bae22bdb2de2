package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Connections for streams that stay open for long, one each, so that they cost requests none of theirs. Any thread
 * may use it; nothing in it waits.
 */
final class StreamConnections implements Connection.Owner {
    private static final int MOST = 64;

    private final Target target;
    private final Dialer dialer;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<Connection> open = new HashSet<>();

    @GuardedBy("lock")
    private int dialing;

    @GuardedBy("lock")
    private boolean isClosed;

    StreamConnections(Target target, Dialer dialer) {
        this.target = target;
        this.dialer = dialer;
    }

    void run(Turn turn) {
        var refusal = refusal();
        if (refusal == null) {
            dialer.dial(this, (connection, problem) -> dialed(turn, connection, problem));
        } else {
            turn.cannotConnect(refusal);
        }
    }

    /** Counts a dial, or says why there is none. */
    private @Nullable Failure refusal() {
        lock.lock();
        try {
            if (isClosed) {
                return target.closed();
            }
            if (open.size() + dialing >= MOST) {
                var words = "%d streams of '%s' are open already, which is the limit";
                return Failure.of(ErrorCode.OVERLOADED, words.formatted(MOST, target.url()));
            }
            dialing++;
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void dialed(Turn turn, @Nullable Connection connection, @Nullable Throwable problem) {
        if (connection == null) {
            uncount();
            turn.cannotConnect(problem == null ? target.closed() : target.unreachable(problem));
        } else if (keeps(connection)) {
            connection.run(turn);
        } else {
            connection.close();
            turn.cannotConnect(target.closed());
        }
    }

    private void uncount() {
        lock.lock();
        try {
            dialing--;
        } finally {
            lock.unlock();
        }
    }

    private boolean keeps(Connection connection) {
        lock.lock();
        try {
            dialing--;
            return !isClosed && open.add(connection);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void free(Connection connection) {
        connection.close();
    }

    @Override
    public void closed(Connection connection) {
        lock.lock();
        try {
            open.remove(connection);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stale(Turn turn) {
        run(turn);
    }

    void close() {
        List<Connection> all;
        lock.lock();
        try {
            isClosed = true;
            all = List.copyOf(open);
        } finally {
            lock.unlock();
        }
        all.forEach(Connection::close);
    }
}
