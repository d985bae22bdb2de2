package io.mcpbridge.sdk;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Exchange.Offer;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.PowerOfTwoSampler;
import io.mcpbridge.spi.Settings;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import io.modelcontextprotocol.spec.McpTransportException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Serves the sessions of one server of the SDK over a listener of the bridge. Any thread may use it. */
final class ListenerTransportProvider implements McpServerTransportProvider {
    /** The requests of one client that may be open; the SDK itself has no limit. */
    private static final int MAX_OPEN_REQUESTS = 1_024;

    private static final System.Logger LOGGER = System.getLogger("io.mcpbridge");

    private final ListenerProvider provider;
    private final Settings settings;
    private final JsonRpcCodec codec = new JsonRpcCodec();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Serving> serving = new AtomicReference<>();

    ListenerTransportProvider(String listener, Settings settings) {
        this.provider = Providers.of(ListenerProvider.class).named(listener);
        this.settings = settings;
    }

    @Override
    public void setSessionFactory(McpServerSession.Factory factory) {
        var environment = StandardEnvironment.open();
        Serving opened;
        try {
            opened = new Serving(provider.create(settings, environment.environment()), environment);
        } catch (RuntimeException wrong) {
            environment.close();
            throw wrong;
        }
        if (!serving.compareAndSet(null, opened)) {
            environment.close();
            throw new IllegalStateException("this transport serves a server already; make another one");
        }
        Acceptor acceptor = peer -> Optional.of(new Connection(factory));
        try {
            opened.listener().start(provider.name().equals("stdio") ? acceptor.onClosed(opened::release) : acceptor);
            opened.keepAlive();
        } catch (RuntimeException failed) {
            opened.close();
            throw failed;
        }
    }

    @Override
    public List<String> protocolVersions() {
        return JsonRpcCodec.LEGACY_REVISIONS;
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
        return Flux.fromIterable(connections)
                .flatMap(each -> each.session.sendNotification(method, params).onErrorComplete())
                .then();
    }

    @Override
    public Mono<Void> notifyClient(String sessionId, String method, Object params) {
        return Flux.fromIterable(connections)
                .filter(each -> each.session.getId().equals(sessionId))
                .flatMap(each -> each.session.sendNotification(method, params))
                .then();
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Flux.fromIterable(connections)
                .flatMap(each -> each.session.closeGracefully().onErrorComplete())
                .then(Mono.fromRunnable(() -> {
                    var open = serving.get();
                    if (open != null) {
                        open.close();
                    }
                }));
    }

    /** The open listener, and the thread that keeps the program alive. */
    private record Serving(Listener listener, StandardEnvironment environment, CountDownLatch ended) {
        private Serving(Listener listener, StandardEnvironment environment) {
            this(listener, environment, new CountDownLatch(1));
        }

        /** The threads of listeners are daemons, but those of the SDK's own transports are not. */
        private void keepAlive() {
            new Thread(this::awaitEnd, "mcp-bridge-sdk-server").start();
        }

        private void awaitEnd() {
            try {
                ended.await();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }

        private void release() {
            ended.countDown();
        }

        private void close() {
            listener.close();
            environment.close();
            release();
        }
    }

    /** The connection of one client, with its session. */
    private final class Connection implements Intake, McpServerTransport {
        private final McpServerSession session;
        private final DeliveryThread delivery = new DeliveryThread("mcp-bridge-sdk-session");
        private final Map<MessageId, Exchange> requests = new ConcurrentHashMap<>();
        private final PowerOfTwoSampler dropped = new PowerOfTwoSampler();
        private volatile @Nullable Exchange listening;

        @SuppressWarnings("ThisEscapedInObjectConstruction")
        private Connection(McpServerSession.Factory factory) {
            session = factory.create(this);
            connections.add(this);
        }

        @Override
        public void received(Exchange exchange) {
            var message = exchange.message().orElse(null);
            if (message == null) {
                listening = exchange;
            } else if (!(message instanceof Request request)) {
                exchange.end(Ending.accepted());
                deliver(message);
            } else if (delivery.isFull() || requests.size() >= MAX_OPEN_REQUESTS) {
                var why =
                        "%d requests of this client are open, or %d MB of its messages wait, which is the limit; wait for answers"
                                .formatted(MAX_OPEN_REQUESTS, DeliveryThread.MAX_WAITING_BYTES >> 20);
                reject(exchange, request, Failure.of(ErrorCode.OVERLOADED, why));
            } else if (requests.putIfAbsent(request.id(), exchange) != null) {
                var why = "the id %s is that of an open request; use another one".formatted(request.id());
                reject(exchange, request, Failure.of(ErrorCode.INVALID_REQUEST, why));
            } else {
                delivery.deliver(request, () -> handle(request, exchange));
            }
        }

        /** Delivers a notification or response; drops it if too many wait for the server's code. */
        private void deliver(Message message) {
            if (!delivery.isFull()) {
                delivery.deliver(message, () -> handle(codec.read(message), ended -> {}));
                return;
            }
            dropped.count("")
                    .ifPresent(times -> LOGGER.log(
                            Level.WARNING,
                            "[mcp-bridge] %d message(s) of a client were dropped: %d MB wait for the code of the server"
                                    .formatted(times, DeliveryThread.MAX_WAITING_BYTES >> 20)));
        }

        private static void reject(Exchange exchange, Request request, Failure why) {
            exchange.end(Ending.answer(JsonRpcErrorMapper.toResponse(request.id(), why, "")));
        }

        private void handle(Request request, Exchange exchange) {
            JSONRPCMessage read;
            try {
                read = codec.read(request);
            } catch (RuntimeException unreadable) {
                end(exchange, request, Failure.of(ErrorCode.INVALID_REQUEST, String.valueOf(unreadable.getMessage())));
                return;
            }
            handle(
                    read,
                    why -> end(
                            exchange,
                            request,
                            Failure.of(
                                    ErrorCode.UPSTREAM_INVALID,
                                    "the server ended '%s' %s".formatted(request.method(), why))));
        }

        /** @param ended receives how the server ended the message, which it may have answered */
        private void handle(JSONRPCMessage message, Consumer<String> ended) {
            session.handle(message)
                    .subscribe(
                            handled -> {},
                            failed -> {
                                delivery.report("the server failed on a message", failed);
                                ended.accept("by an exception: " + failed.getMessage());
                            },
                            () -> ended.accept("without a result; its handler must return one"));
        }

        /** Rejects a request, unless it was answered. */
        private void end(Exchange exchange, Request request, Failure why) {
            if (requests.remove(request.id(), exchange)) {
                reject(exchange, request, why);
            }
        }

        @Override
        public void closed() {
            connections.remove(this);
            delivery.execute(session::close);
            delivery.execute(delivery::close);
        }

        @Override
        public Mono<Void> sendMessage(JSONRPCMessage message) {
            return Mono.fromRunnable(() -> send(codec.write(message)));
        }

        private void send(Message message) {
            var request = message instanceof Response response
                    ? response.id().map(requests::remove).orElse(null)
                    : null;
            if (request != null) {
                request.end(Ending.answer(message));
                return;
            }
            var stream = listening;
            var offer = stream == null ? Offer.FULL : stream.offer(message);
            if (offer == Offer.FULL && message instanceof Request) {
                throw new McpTransportException("Cannot ask the client: it has left, or does not read its messages");
            }
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.fromRunnable(() -> {
                var stream = listening;
                if (stream != null) {
                    stream.end(Ending.empty());
                }
            });
        }

        @Override
        public List<String> protocolVersions() {
            return JsonRpcCodec.LEGACY_REVISIONS;
        }

        @Override
        public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
            return codec.convert(data, type);
        }
    }
}
