package io.mcpbridge.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One connection of an {@link InMemoryListener}, which is also the client at its other end. */
final class InMemoryConnection implements RawClient {
    private static final Peer PEER =
            new Peer(Principal.ANONYMOUS, TransportTraits.Shape.SHARED_STREAM, "pipe", "memory");

    private final Lane toBridge = new Lane("mcp-bridge-memory-listener");
    private final BlockingQueue<String> toClient = new LinkedBlockingQueue<>();
    private final Set<InMemoryExchange> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Intake intake;

    void begin(Acceptor acceptor) {
        var taken = acceptor.connected(PEER);
        if (taken.isEmpty()) {
            ended.set(true);
            return;
        }
        intake = taken.get();
        toBridge.start();
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
        var told = intake;
        if (!ended.compareAndSet(false, true) || told == null) {
            return;
        }
        toBridge.add(() -> {
            open.forEach(InMemoryExchange::abandon);
            told.closed();
        });
        toBridge.stop();
    }

    /** Whether the message could still reach the client. */
    boolean write(Message message) {
        return !ended.get() && toClient.add(message.json());
    }

    void forget(InMemoryExchange exchange) {
        open.remove(exchange);
    }

    private void read(String json) {
        var bytes = json.getBytes(UTF_8);
        try {
            hand(Exchange.Kind.MESSAGE, Optional.of(Message.scan(bytes, Limits.CLIENT)));
        } catch (ProtocolException malformed) {
            var id = Message.readableId(json.getBytes(UTF_8), Limits.CLIENT);
            write(id.map(known -> JsonRpcErrors.toResponse(known, malformed.failure(), ""))
                    .orElseGet(() -> JsonRpcErrors.toResponse(malformed.failure())));
        }
    }

    private void hand(Exchange.Kind kind, Optional<Message> message) {
        var taker = intake;
        if (taker != null && !ended.get()) {
            var exchange = new InMemoryExchange(this, kind, message.orElse(null));
            open.add(exchange);
            taker.received(exchange);
        }
    }
}
