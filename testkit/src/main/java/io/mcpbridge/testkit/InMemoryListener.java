package io.mcpbridge.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.InMemoryTransport.Lane;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A listener whose clients are in the same process. Any thread may use it. */
public final class InMemoryListener implements Listener {
    private final Set<InMemoryConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Acceptor acceptor;

    @Override
    public void start(Acceptor newAcceptor) {
        if (acceptor != null) {
            throw ConfigurationException.of("the in-memory listener was started before; make another one");
        }
        acceptor = newAcceptor;
    }

    @Override
    public URI address() {
        return URI.create("memory:listener");
    }

    @Override
    public void stopAccepting() {
        acceptor = null;
    }

    @Override
    public void close() {
        stopAccepting();
        connections.forEach(InMemoryConnection::close);
        connections.clear();
    }

    /** Connects a new client. */
    public RawClient connect() throws IOException {
        var listening = acceptor;
        if (listening == null) {
            throw new IOException("no server listens in memory");
        }
        var connection = new InMemoryConnection();
        connections.add(connection);
        connection.begin(listening);
        return connection;
    }

    /** A connection of an {@link InMemoryListener}, which is also the client at its other end. */
    private static final class InMemoryConnection implements RawClient {
        private static final Peer PEER =
                new Peer(Principal.ANONYMOUS, TransportTraits.Shape.SHARED_STREAM, "pipe", "memory");

        private final Lane toBridge = new Lane("mcp-bridge-memory-listener");
        private final BlockingQueue<String> toClient = new LinkedBlockingQueue<>();
        private final Set<InMemoryExchange> open = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile @Nullable Intake intake;

        private void begin(Acceptor acceptor) {
            var taken = acceptor.connected(PEER);
            if (taken.isEmpty()) {
                ended.set(true);
                return;
            }
            intake = taken.get();
            toBridge.add(() -> hand(Exchange.Kind.LISTEN, Optional.empty()));
        }

        @Override
        public void send(String json) throws IOException {
            if (ended.get() || !toBridge.add(() -> read(json))) {
                throw new IOException("the connection has ended");
            }
        }

        @Override
        public String receive() {
            return Eventually.get(() -> "a message from the listener", () -> Optional.ofNullable(toClient.poll()));
        }

        @Override
        public void awaitEnd() {
            Eventually.holds("the end of the connection", ended::get);
        }

        @Override
        public void close() {
            var closing = intake;
            if (!ended.compareAndSet(false, true) || closing == null) {
                return;
            }
            toBridge.add(() -> {
                open.forEach(InMemoryExchange::abandon);
                closing.closed();
            });
            toBridge.stop();
        }

        /** Sends a message to the client; false if the connection is closed. */
        private boolean write(Message message) {
            return !ended.get() && toClient.add(message.json());
        }

        private void read(String json) {
            var bytes = json.getBytes(UTF_8);
            try {
                hand(Exchange.Kind.MESSAGE, Optional.of(Message.scan(bytes, Limits.CLIENT)));
            } catch (ProtocolException malformed) {
                var id = Message.readableId(json.getBytes(UTF_8), Limits.CLIENT);
                write(id.map(known -> JsonRpcErrorMapper.toResponse(known, malformed.failure(), ""))
                        .orElseGet(() -> JsonRpcErrorMapper.toResponse(malformed.failure())));
            }
        }

        private void hand(Exchange.Kind kind, Optional<Message> message) {
            var current = intake;
            if (current != null && !ended.get()) {
                var exchange = new InMemoryExchange(kind, message);
                open.add(exchange);
                current.received(exchange);
            }
        }

        /** One message of the client, or the connection itself. */
        private final class InMemoryExchange implements Exchange {
            private final Kind kind;
            private final Optional<Message> message;
            private final CompletableFuture<Boolean> abandoned = new CompletableFuture<>();
            private final ReentrantLock lock = new ReentrantLock();

            @GuardedBy("lock")
            private boolean isOver;

            private InMemoryExchange(Kind kind, Optional<Message> message) {
                this.kind = kind;
                this.message = message;
            }

            @Override
            public Kind kind() {
                return kind;
            }

            @Override
            public Optional<Message> message() {
                return message;
            }

            @Override
            public MessageHeaders headers() {
                return MessageHeaders.EMPTY;
            }

            @Override
            public Principal principal() {
                return Principal.ANONYMOUS;
            }

            @Override
            public void bind(String session) {}

            @Override
            public Offer offer(Message event) {
                lock.lock();
                try {
                    return !isOver && write(event) ? Offer.SENT : Offer.FULL;
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void end(Ending ending) {
                var unused = endWith(ending.message());
                open.remove(this);
            }

            @Override
            public void onAbandoned(Runnable action) {
                var unused = abandoned.thenRun(action).whenComplete((done, defect) -> report(defect));
            }

            /** Reports a failed hook without preventing the other hooks from running. */
            private static void report(@Nullable Throwable defect) {
                if (defect != null) {
                    var thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, defect);
                }
            }

            private void abandon() {
                if (endWith(Optional.empty())) {
                    abandoned.complete(true);
                }
            }

            /** Ends the exchange after an optional last message; false if it has ended before. */
            private boolean endWith(Optional<Message> last) {
                lock.lock();
                try {
                    if (!isOver) {
                        isOver = true;
                        last.ifPresent(InMemoryConnection.this::write);
                        return true;
                    }
                    return false;
                } finally {
                    lock.unlock();
                }
            }
        }
    }
}
