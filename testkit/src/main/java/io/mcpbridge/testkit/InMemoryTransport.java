package io.mcpbridge.testkit;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A transport to a {@link Script} in the same process. All messages share one stream.
 *
 * <p>It has two threads from {@link #open} to {@link #close}: one runs the script, as a server would; the other calls
 * the receiver. An instance serves one connection; any thread may send, abandon and close.
 */
public final class InMemoryTransport implements Transport {
    private static final TransportTraits TRAITS =
            TransportTraits.of(TransportTraits.Shape.SHARED_STREAM, "pipe", "memory");

    private final Script script;
    private final boolean reachable;
    private final Set<Outgoing> unwritten = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Closed> end = new AtomicReference<>();
    private final Lane toPeer = new Lane("mcp-bridge-memory-peer");
    private final Lane toReceiver = new Lane("mcp-bridge-memory-receiver");
    private volatile @Nullable Receiver receiver;
    private volatile boolean over;

    private InMemoryTransport(Script script, boolean reachable) {
        this.script = script;
        this.reachable = reachable;
    }

    /** Creates a transport to a peer that runs {@code script}. */
    public static InMemoryTransport to(Script script) {
        return new InMemoryTransport(script, true);
    }

    /** Creates a transport whose {@code open} fails. */
    public static InMemoryTransport unreachable() {
        return new InMemoryTransport((message, wire) -> {}, false);
    }

    @Override
    public void open(Receiver newReceiver, Deadline deadline) {
        if (!reachable) {
            throw TransportException.unreachable("memory", new java.net.ConnectException("no server listens"));
        }
        receiver = newReceiver;
    }

    @Override
    public void send(Outgoing out) {
        unwritten.add(out);
        toPeer.add(() -> deliver(out));
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        if (!(out.message() instanceof Request request)) {
            return unwritten.remove(out);
        }
        if (unwritten.remove(out)) {
            return true;
        }
        var cancel = Notification.cancelled(request.id(), reason);
        toPeer.add(() -> script.received(cancel, new PeerWire()));
        return false;
    }

    @Override
    public TransportTraits traits() {
        return TRAITS;
    }

    @Override
    public void close() {
        end(Closed.byUs());
        toPeer.stop();
        toReceiver.stop();
    }

    private void deliver(Outgoing out) {
        var current = receiver;
        if (current == null || end.get() != null || !unwritten.remove(out)) {
            return;
        }
        current.writing(out);
        script.received(out.message(), new PeerWire());
    }

    private void end(Closed why) {
        var current = receiver;
        if (end.compareAndSet(null, why) && current != null) {
            toReceiver.add(() -> {
                over = true;
                current.closed(why);
            });
        }
    }

    private void pass(Message message) {
        var current = receiver;
        if (current == null || end.get() != null) {
            return;
        }
        if (message.length() > Limits.SERVER.maxBytes()) {
            end(Closed.invalid(
                    "a message of %d bytes is longer than %d".formatted(message.length(), Limits.SERVER.maxBytes())));
            return;
        }
        toReceiver.add(() -> {
            if (!over) {
                current.message(message, Optional.empty());
            }
        });
    }

    private final class PeerWire implements Script.Wire {

        @Override
        public void send(Message message) {
            pass(message);
        }

        @Override
        public void sendInPieces(Message message, int bytes) {
            pass(message);
        }

        @Override
        public void cut() {
            end(Closed.disconnected("the peer ended the connection"));
        }
    }

    /** A thread that runs actions in the order in which they were added. Any thread may use it. */
    static final class Lane {
        private final ExecutorService actions;
        private volatile @Nullable Thread thread;

        Lane(String name) {
            actions = Executors.newSingleThreadExecutor(work -> {
                var worker = new Thread(work, name);
                worker.setDaemon(true);
                thread = worker;
                return worker;
            });
        }

        /** Adds an action; false after {@link #stop}. */
        boolean add(Runnable action) {
            try {
                actions.execute(action);
                return true;
            } catch (RejectedExecutionException stopped) {
                return false;
            }
        }

        /** Runs the actions already added, then ends the thread. Waits for its end unless called on it. */
        void stop() {
            actions.shutdown();
            var worker = thread;
            if (worker == null || worker == Thread.currentThread()) {
                return;
            }
            try {
                worker.join(Eventually.TIMEOUT.toMillis());
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
