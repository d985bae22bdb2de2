package io.mcpbridge.sdk;

import static java.util.Objects.requireNonNull;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.stream.AbandonmentHooks;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpTransportException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Connects one client of the SDK to an acceptor in this process. Each connect begins a session, which replaces the one
 * before. Any thread may use it.
 */
final class FrontTransport implements McpClientTransport {
    private final Supplier<Front> opening;
    private final JsonRpcCodec codec = new JsonRpcCodec();
    private final AtomicReference<State> state = new AtomicReference<>(new Disconnected("it is not connected"));

    /** @param opening opens the front for one session */
    FrontTransport(Supplier<Front> opening) {
        this.opening = opening;
    }

    /**
     * What a session connects to.
     *
     * @param end releases it after the session
     */
    record Front(Acceptor acceptor, Runnable end) {}

    /** An open session, or why there is none. */
    private interface State {

        /**
         * Passes a message of the client to the bridge.
         *
         * @throws McpTransportException if there is no session
         */
        void send(Message message);

        void close();
    }

    private record Disconnected(String why) implements State {
        @Override
        public void send(Message message) {
            throw new McpTransportException("Cannot send a message to the bridge: " + why);
        }

        @Override
        public void close() {}
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return Mono.fromRunnable(() -> {
            var connecting = new Disconnected("it is connecting");
            replace(connecting);
            Session session;
            try {
                session = open(handler);
            } catch (RuntimeException failed) {
                // The SDK only logs it, so the first message reports it again.
                state.compareAndSet(connecting, new Disconnected(String.valueOf(failed.getMessage())));
                throw failed;
            }
            if (state.compareAndSet(connecting, session)) {
                session.listen();
            } else {
                // The client was closed, or has connected again, in the meantime.
                session.close();
            }
        });
    }

    private Session open(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        var user = System.getProperty("user.name", "");
        var principal = user.isEmpty() ? Principal.ANONYMOUS : new Principal(user, "process");
        var front = opening.get();
        var peer = new Peer(principal, TransportTraits.Shape.SHARED_STREAM, "pipe", "java-sdk");
        var intake = front.acceptor().connected(peer);
        if (intake.isEmpty()) {
            front.end().run();
            throw new McpTransportException(
                    "the bridge is closed, or has as many clients as 'limits.connections' allows");
        }
        return new Session(principal, handler, front, intake.get());
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromRunnable(() -> requireNonNull(state.get()).send(codec.write(message)));
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(() -> replace(new Disconnected("the client is closed")));
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return codec.convert(data, type);
    }

    @Override
    public List<String> protocolVersions() {
        return JsonRpcCodec.LEGACY_REVISIONS;
    }

    private void replace(Disconnected next) {
        state.getAndSet(next).close();
    }

    /** The session of a client, from one connect to the next or to the end. */
    private final class Session implements State {
        private final Principal principal;
        private final Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler;
        private final Front front;
        private final Intake intake;
        private final DeliveryThread delivery = new DeliveryThread("mcp-bridge-sdk-client");
        private final Set<MemoryExchange> open = ConcurrentHashMap.newKeySet();

        private Session(
                Principal principal,
                Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler,
                Front front,
                Intake intake) {
            this.principal = principal;
            this.handler = handler;
            this.front = front;
            this.intake = intake;
        }

        /** Begins the session, before its first message. */
        private void listen() {
            pass(new MemoryExchange(principal, null));
        }

        @Override
        public void send(Message message) {
            pass(new MemoryExchange(Principal.ANONYMOUS, message));
        }

        private void pass(MemoryExchange exchange) {
            open.add(exchange);
            intake.received(exchange);
        }

        /** Delivers a message to the client, after those before it. */
        private void deliver(Message message) {
            delivery.deliver(
                    message,
                    () -> handler.apply(Mono.just(codec.read(message)))
                            .subscribe(
                                    handled -> {},
                                    failed -> delivery.report("the client failed on a message", failed)));
        }

        /** The bridge has ended the session, after the answers that wait for delivery. */
        private void ended() {
            if (state.compareAndSet(this, new Disconnected("the bridge is closed"))) {
                delivery.execute(this::close);
            }
        }

        @Override
        public void close() {
            delivery.close();
            open.forEach(MemoryExchange::abandon);
            open.clear();
            intake.closed();
            front.end().run();
        }

        /** One message of the client, or the session itself. */
        private final class MemoryExchange implements Exchange {
            private final Principal principal;
            private final @Nullable Message message;
            private final AbandonmentHooks hooks = new AbandonmentHooks();

            private MemoryExchange(Principal principal, @Nullable Message message) {
                this.principal = principal;
                this.message = message;
            }

            @Override
            public Kind kind() {
                return message == null ? Kind.LISTEN : Kind.MESSAGE;
            }

            @Override
            public Optional<Message> message() {
                return Optional.ofNullable(message);
            }

            @Override
            public MessageHeaders headers() {
                return MessageHeaders.EMPTY;
            }

            @Override
            public Principal principal() {
                return principal;
            }

            @Override
            public void bind(String session) {}

            @Override
            public Offer offer(Message event) {
                if (hooks.isSettled() || delivery.isFull()) {
                    return Offer.FULL;
                }
                if (event instanceof Request request && request.method().equals(Methods.PING)) {
                    // A client in this process is reachable, even while a callback blocks its thread.
                    send(Response.result(request.id(), "{}"));
                    return Offer.SENT;
                }
                deliver(event);
                return Offer.QUEUED;
            }

            @Override
            public void end(Ending ending) {
                if (!hooks.end()) {
                    return;
                }
                open.remove(this);
                ending.message().ifPresent(Session.this::deliver);
                if (kind() == Kind.LISTEN) {
                    ended();
                }
            }

            @Override
            public void onAbandoned(Runnable action) {
                hooks.add(action);
            }

            private void abandon() {
                hooks.abandon().run();
            }
        }
    }
}
