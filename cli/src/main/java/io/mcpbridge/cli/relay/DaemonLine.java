package io.mcpbridge.cli.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way to the daemon, over one connection after the other: what is sent while there is none waits for the next.
 * Any thread.
 */
final class DaemonLine implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");
    private static final int MOST_WAITING = 1_024;

    /** Hears what comes from the daemon; never waits. */
    interface Client {

        void said(Message message);

        /** A request gets no answer. */
        void failed(MessageId id, Failure why);

        /** The connection is gone, and whoever asked something over it. */
        void lost();

        /** Another connection is there, and knows what the one before knew. */
        void cameBack();
    }

    private final Dialing dialing;
    private final Executor workers;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Message> waiting = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable DaemonConnection ready;

    @GuardedBy("lock")
    private boolean isDialing;

    private volatile boolean wasReady;
    private volatile @Nullable Client client;

    DaemonLine(Dialing dialing, Executor workers) {
        this.dialing = dialing;
        this.workers = workers;
    }

    /** Says who hears what comes; before anything is sent. */
    void begin(Client newClient) {
        client = newClient;
    }

    /** Sends a message, now or as soon as a daemon is there. */
    void send(Message message) {
        DaemonConnection connection;
        var begins = false;
        var isRefused = false;
        lock.lock();
        try {
            connection = ready;
            if (connection == null) {
                isRefused = waiting.size() >= MOST_WAITING;
                begins = !isRefused && !isDialing;
                isDialing |= begins;
                if (!isRefused) {
                    waiting.add(message);
                }
            }
        } finally {
            lock.unlock();
        }
        if (connection != null) {
            connection.send(message);
        } else if (isRefused) {
            fail(
                    message,
                    Failure.of(
                            ErrorCode.OVERLOADED, "%d messages wait for the daemon already".formatted(MOST_WAITING)));
        } else if (begins) {
            dialSoon();
        }
    }

    /** Takes a request back that waits; false if it was sent already. */
    boolean withdraw(MessageId id) {
        lock.lock();
        try {
            return waiting.removeIf(
                    each -> each instanceof Request request && request.id().equals(id));
        } finally {
            lock.unlock();
        }
    }

    /** Ends the connection; nothing is dialed any more. */
    @Override
    public void close() {
        dialing.end();
        DaemonConnection connection;
        lock.lock();
        try {
            connection = ready;
            ready = null;
        } finally {
            lock.unlock();
        }
        if (connection != null) {
            connection.close();
        }
    }

    private void dialSoon() {
        try {
            workers.execute(this::dial);
        } catch (RejectedExecutionException stopped) {
            giveUp(Failure.of(ErrorCode.SHUTTING_DOWN, "the connection to the daemon is closed"));
        }
    }

    private void dial() {
        dialing.until(this::adopt, new Ends()).ifPresent(this::giveUp);
    }

    /** Sends what waits, in order, and lets others send directly once nothing does. */
    private boolean adopt(DaemonConnection connection) {
        if (wasReady) {
            LOG.log(Level.WARNING, "[mcp-bridge] connected to the daemon again");
            tell(Client::cameBack);
        }
        while (true) {
            List<Message> batch;
            lock.lock();
            try {
                if (connection.isOver() || dialing.isEnding()) {
                    break;
                }
                if (waiting.isEmpty()) {
                    ready = connection;
                    isDialing = false;
                    wasReady = true;
                    return true;
                }
                batch = List.copyOf(waiting);
                waiting.clear();
            } finally {
                lock.unlock();
            }
            batch.forEach(connection::send);
        }
        connection.close();
        return false;
    }

    private void giveUp(Failure why) {
        List<Message> left;
        lock.lock();
        try {
            isDialing = false;
            left = List.copyOf(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        if (!dialing.isEnding()) {
            LOG.log(Level.WARNING, "[mcp-bridge] no daemon was found: {0}", why.message());
        }
        left.forEach(message -> fail(message, why));
    }

    private void fail(Message message, Failure why) {
        if (message instanceof Request request) {
            tell(hearing -> hearing.failed(request.id(), why));
        }
    }

    private void tell(Consumer<Client> news) {
        var hearing = client;
        if (hearing != null) {
            news.accept(hearing);
        }
    }

    /** Hears of one connection. */
    private final class Ends implements DaemonConnection.Owner {

        @Override
        public void said(Message message) {
            tell(hearing -> hearing.said(message));
        }

        @Override
        public void failed(MessageId id, Failure why) {
            tell(hearing -> hearing.failed(id, why));
        }

        @Override
        public void over(DaemonConnection connection, List<Message> unsent, Closed why) {
            boolean begins;
            boolean wasMine;
            lock.lock();
            try {
                waiting.addAll(0, unsent);
                wasMine = ready == connection;
                ready = wasMine ? null : ready;
                begins = wasMine && !dialing.isEnding() && !isDialing && (dialing.isPersistent() || !waiting.isEmpty());
                isDialing |= begins;
            } finally {
                lock.unlock();
            }
            if (wasMine) {
                tell(Client::lost);
            }
            if (begins) {
                LOG.log(Level.WARNING, "[mcp-bridge] lost the daemon, looking for it again: {0}", why.reason());
                dialSoon();
            }
        }
    }
}
