package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.spi.TransportTraits.Shape;
import io.mcpbridge.transport.http.internal.SharedEventLoopGroup;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A transport over Streamable HTTP: each message is a POST, and each answer has its own stream.
 *
 * <p>One transport is one MCP session: it keeps the session id of {@code initialize}. It never sends a message twice,
 * unless no byte of the first attempt was sent.
 */
final class HttpTransport implements Transport {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    /** Streamable HTTP, with HTTP+SSE as a fallback, or HTTP+SSE of 2024-11-05, which has one stream. */
    private final Shape shape;

    private final HttpTransportSettings settings;
    private final Environment environment;
    private final SharedEventLoopGroup loops;
    private final Endpoint endpoint;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable Opened opened;

    HttpTransport(Shape shape, HttpTransportSettings settings, Environment environment, SharedEventLoopGroup loops) {
        this.shape = shape;
        this.settings = settings;
        this.environment = environment;
        this.loops = loops;
        this.endpoint = Endpoint.of(settings.url());
    }

    @Override
    public void open(Receiver receiver, Deadline deadline) throws InterruptedException {
        if (opened != null || isClosed.get()) {
            throw new IllegalStateException(
                    "the transport to '%s' was opened before; create another one".formatted(endpoint.url()));
        }
        var lease = loops.lease();
        var dialer = new Dialer(endpoint, settings.connectTimeout(), lease, environment.workers());
        var pool = new HttpConnectionPool(endpoint, dialer, environment.timekeeper(), settings);
        boolean isOpen = false;
        try {
            await(pool.connectFirst(), deadline, "Cannot reach '%s' within %d ms");
            var client =
                    new StreamableHttpClient(receiver, new HttpClientSession(endpoint, pool, settings, environment));
            // Before it begins, since the receiver may answer the first message of the server at once.
            opened = new Opened(lease, pool, client);
            begin(client, deadline);
            isOpen = !isClosed.get();
        } finally {
            if (!isOpen) {
                opened = null;
                pool.close();
                lease.close();
            }
        }
        if (!isOpen) {
            throw TransportException.of(endpoint.closed());
        }
    }

    private void begin(StreamableHttpClient client, Deadline deadline) throws InterruptedException {
        if (shape != Shape.SHARED_STREAM) {
            return;
        }
        var begun = new CompletableFuture<Void>();
        var sse = client.openSse(
                deadline, () -> begun.complete(null), why -> begun.completeExceptionally(TransportException.of(why)));
        boolean isBegun = false;
        try {
            await(begun, deadline, "'%s' gave no event stream with an endpoint within %d ms");
            isBegun = true;
        } finally {
            if (!isBegun) {
                sse.close();
            }
        }
    }

    private void await(CompletableFuture<Void> future, Deadline deadline, String timeoutMessage)
            throws InterruptedException {
        try {
            future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            var message =
                    timeoutMessage.formatted(endpoint.url(), deadline.span().toMillis());
            throw TransportException.of(
                    Failure.of(ErrorCode.PROVIDER_TIMEOUT, message).withCause(late));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof TransportException known
                    ? known
                    : TransportException.unreachable(endpoint.url(), failed);
        }
    }

    @Override
    public void send(Outgoing out) {
        opened().client.send(out);
    }

    private Opened opened() {
        var open = opened;
        if (open == null) {
            throw new IllegalStateException("the transport to '%s' is not open".formatted(endpoint.url()));
        }
        return open;
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        return opened().client.abandon(out, reason);
    }

    @Override
    public TransportTraits traits() {
        return TransportTraits.of(shape, "tcp", endpoint.url());
    }

    @Override
    public Optional<String> sessionId() {
        var open = opened;
        return open == null ? Optional.empty() : open.client.context().sessionId();
    }

    @Override
    public void close() {
        var open = opened;
        if (!isClosed.compareAndSet(false, true) || open == null) {
            return;
        }
        open.client.stop();
        deleteSession(open);
        open.pool.close();
        open.lease.close();
        open.client.closed(Closed.byUs());
    }

    private static void deleteSession(Opened open) {
        var context = open.client.context();
        if (context.sessionId().isPresent()) {
            var delete = new SessionDelete(context, open.client.negotiated());
            open.pool.runUrgent(delete);
            if (!open.lease.isHere()) {
                delete.await(CLOSE_TIMEOUT);
            }
        }
    }

    /** The parts of an open transport. */
    private record Opened(SharedEventLoopGroup.Lease lease, HttpConnectionPool pool, StreamableHttpClient client) {}

    /** Ends the session with a DELETE; any response will do. */
    private record SessionDelete(HttpClientSession context, ProtocolVersion version, CountDownLatch completed)
            implements HttpCall {

        SessionDelete(HttpClientSession context, ProtocolVersion version) {
            this(context, version, new CountDownLatch(1));
        }

        /** Waits a bounded time for the response of the server. */
        void await(Duration timeout) {
            try {
                if (!completed.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                    var words = "[mcp-bridge] '%s' did not confirm the DELETE of the session in time";
                    var logger = context.environment().logger();
                    logger.log(
                            System.Logger.Level.DEBUG,
                            words.formatted(context.endpoint().url()));
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public boolean begin(HttpConnection connection) {
            return true;
        }

        @Override
        public ByteBuf request(ByteBufAllocator allocator) {
            return context.encoder().delete(allocator, context.named(MessageHeaders.EMPTY, version));
        }

        @Override
        public void head(HttpResponse head) {
            over();
        }

        @Override
        public void over() {
            completed.countDown();
        }
    }
}
