package io.mcpbridge.cli.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.BridgeException;
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
 * A channel to the daemon that reconnects: messages sent while there is no connection are queued for the next one.
 * Thread-safe.
 */
final class ReconnectingChannel implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");
    private static final int MAX_QUEUED = 1_024;

    /** Opens a connection with the session state restored; blocks until it is open. */
    interface Connector {
        DaemonConnection connect(ReconnectingChannel owner) throws InterruptedException;
    }

    private final Connector connector;
    private final ReconnectPolicy policy;
    private final Executor workers;
    private final SocketWatch watch;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Message> queue = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable DaemonConnection ready;

    @GuardedBy("lock")
    private boolean isDialing;

    private volatile boolean wasReady;
    private volatile @Nullable StdioClient client;

    /** @param watch shortens the pauses between attempts; closed with the channel */
    ReconnectingChannel(Connector connector, ReconnectPolicy policy, SocketWatch watch, Executor workers) {
        this.connector = connector;
        this.policy = policy;
        this.watch = watch;
        this.workers = workers;
    }

    /** Sets the receiver of events; called before the first {@link #send}. */
    void begin(StdioClient newClient) {
        client = newClient;
    }

    /** Sends a message now, or queues it until there is a connection. */
    void send(Message message) {
        DaemonConnection connection;
        var begins = false;
        var isRefused = false;
        lock.lock();
        try {
            connection = ready;
            if (connection == null) {
                isRefused = queue.size() >= MAX_QUEUED;
                begins = !isRefused && !isDialing;
                isDialing |= begins;
                if (!isRefused) {
                    queue.add(message);
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
                            ErrorCode.OVERLOADED,
                            "the queue of %d messages for the daemon is full".formatted(MAX_QUEUED)));
        } else if (begins) {
            dialSoon();
        }
    }

    /** Removes a request from the queue; false if it was sent already. */
    boolean removeQueued(MessageId id) {
        lock.lock();
        try {
            return queue.removeIf(
                    each -> each instanceof Request request && request.id().equals(id));
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connection and stops reconnecting. */
    @Override
    public void close() {
        watch.close();
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
        } catch (RejectedExecutionException ended) {
            giveUp(shuttingDown());
        }
    }

    private void dial() {
        try {
            policy.repeat(number -> adopt(connector.connect(this)), watch);
        } catch (BridgeException failed) {
            giveUp(failed.failure());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            giveUp(shuttingDown());
        }
    }

    private static Failure shuttingDown() {
        return Failure.of(ErrorCode.SHUTTING_DOWN, "the connection to the daemon is closed");
    }

    private boolean isStopped() {
        return watch.isClosed();
    }

    /** Sends the queued messages in order; once the queue is empty, messages are sent directly. */
    private boolean adopt(DaemonConnection connection) {
        if (wasReady) {
            LOG.log(Level.WARNING, "[mcp-bridge] reconnected to the daemon");
            notifyClient(StdioClient::reconnected);
        }
        while (true) {
            List<Message> batch;
            lock.lock();
            try {
                if (connection.isClosed() || isStopped()) {
                    break;
                }
                if (queue.isEmpty()) {
                    ready = connection;
                    isDialing = false;
                    wasReady = true;
                    return true;
                }
                batch = List.copyOf(queue);
                queue.clear();
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
            left = List.copyOf(queue);
            queue.clear();
        } finally {
            lock.unlock();
        }
        if (!isStopped()) {
            LOG.log(Level.WARNING, "[mcp-bridge] cannot connect to the daemon: {0}", why.message());
        }
        left.forEach(message -> fail(message, why));
    }

    private void fail(Message message, Failure why) {
        if (message instanceof Request request) {
            notifyClient(receiver -> receiver.failed(request.id(), why));
        }
    }

    private void notifyClient(Consumer<StdioClient> event) {
        var receiver = client;
        if (receiver != null) {
            event.accept(receiver);
        }
    }

    /** A message of the daemon has arrived. */
    void received(Message message) {
        notifyClient(receiver -> receiver.received(message));
    }

    /** A request gets no response. */
    void failed(MessageId id, Failure why) {
        notifyClient(receiver -> receiver.failed(id, why));
    }

    /**
     * A connection is closed.
     *
     * @param unsent the messages that may be sent over another connection, in order
     */
    void closed(DaemonConnection connection, List<Message> unsent, Closed why) {
        boolean begins;
        boolean wasReady;
        lock.lock();
        try {
            queue.addAll(0, unsent);
            wasReady = ready == connection;
            ready = wasReady ? null : ready;
            begins = wasReady && !isStopped() && !isDialing && (policy.attempts() > 1 || !queue.isEmpty());
            isDialing |= begins;
        } finally {
            lock.unlock();
        }
        if (wasReady) {
            notifyClient(StdioClient::lost);
        }
        if (begins) {
            LOG.log(Level.WARNING, "[mcp-bridge] lost the connection to the daemon, reconnecting: {0}", why.reason());
            dialSoon();
        }
    }
}
