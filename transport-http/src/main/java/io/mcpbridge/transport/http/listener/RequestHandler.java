package io.mcpbridge.transport.http.listener;

import static java.lang.System.Logger.Level.WARNING;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Exchange.Kind;
import io.mcpbridge.transport.http.internal.Body;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client: reads a request, has the {@link Gate} judge it, hands it over and waits for its
 * response before it looks at the next one. Belongs to its event loop; {@link #check} may come from any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends comes as an event
final class RequestHandler extends ChannelInboundHandlerAdapter implements Link {
    private static final int MOST_PENDING = 256;

    private final Connections connections;
    private final SocketChannel channel;
    private final Outbox outbox;
    private final Pace pace;
    private final Deque<HttpObject> pending = new ArrayDeque<>();
    private @Nullable HttpRequest head;
    private Principal principal = Principal.ANONYMOUS;
    private @Nullable Body body;
    private boolean closesAfter;
    private boolean isDiscarding;
    private volatile @Nullable HttpExchange exchange;

    RequestHandler(Connections connections, SocketChannel channel) {
        this.connections = connections;
        this.channel = channel;
        var limits = connections.limits();
        this.outbox = new Outbox(
                channel,
                connections.timekeeper(),
                limits.maxQueuedBytes(),
                connections.bounds().outbound());
        this.pace = new Pace(limits, connections.timekeeper());
    }

    Pace pace() {
        return pace;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object object) {
        if (exchange == null && pending.isEmpty()) {
            read((HttpObject) object);
            return;
        }
        // A request that came before the last one was answered; it waits, and nothing more is read meanwhile.
        pending.add((HttpObject) object);
        channel.config().setAutoRead(false);
        if (pending.size() > MOST_PENDING) {
            channel.close();
        }
    }

    private void read(HttpObject object) {
        try {
            if (object instanceof HttpRequest request && !pace.isClosing()) {
                begin(request);
            }
            if (object instanceof HttpContent content && !pace.isClosing()) {
                body(content);
            }
        } finally {
            ReferenceCountUtil.release(object);
        }
    }

    private void begin(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            refuse(Refusal.unreadable(request.decoderResult().cause()));
            return;
        }
        var verdict = connections.gate().judge(request);
        head = request;
        principal = verdict.principal();
        closesAfter = !HttpUtil.isKeepAlive(request);
        if (verdict.refusal().isPresent()) {
            refuse(verdict.refusal().get());
            return;
        }
        pace.body();
        body = new Body(connections.limits().maxBodyBytes(), HttpUtil.getContentLength(request, -1L));
        if (HttpUtil.is100ContinueExpected(request)) {
            outbox.put(Wire.goOn());
        }
    }

    private void body(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            refuse(Refusal.unreadable(content.decoderResult().cause()));
            return;
        }
        var collecting = body;
        if (!isDiscarding && collecting != null && !collecting.add(content.content())) {
            refuse(Gate.tooLarge(connections.limits()));
            return;
        }
        if (content instanceof LastHttpContent) {
            endOfRequest();
        }
    }

    private void endOfRequest() {
        var request = head;
        var collected = body;
        if (isDiscarding || request == null || collected == null) {
            isDiscarding = false;
            rest();
            return;
        }
        head = null;
        body = null;
        pace.handling();
        var kind = Received.kindOf(request);
        if (kind == Kind.MESSAGE) {
            message(request, collected.take());
        } else {
            handOver(kind, request, Optional.empty());
        }
    }

    private void message(HttpRequest request, byte[] json) {
        var limits = connections
                .bounds()
                .fromClients()
                .withMaxBytes(connections.limits().maxBodyBytes());
        try {
            handOver(Kind.MESSAGE, request, Optional.of(Message.scan(json, limits)));
        } catch (ProtocolException malformed) {
            connections.notes().refused(channel, 400);
            var error = Refusal.malformed(Message.readableId(json, limits), malformed.failure());
            outbox.put(Wire.whole(400, Metadata.EMPTY, Optional.of(error), closesAfter), this::afterResponse);
        }
    }

    private void handOver(Kind kind, HttpRequest request, Optional<Message> message) {
        var made =
                new HttpExchange(Received.of(kind, message, request.headers(), principal), this, connections.replay());
        exchange = made;
        connections.intake().received(made);
    }

    private void refuse(Refusal refusal) {
        body = null;
        head = null;
        isDiscarding = true;
        boolean closes = closesAfter || refusal.endsConnection();
        connections.notes().refused(channel, refusal.status());
        var whole = Wire.whole(refusal.status(), refusal.headers(), Optional.of(refusal.error()), closes);
        outbox.put(whole, closes ? this::linger : () -> {});
    }

    /** Closes our half and lets the client read the refusal before the rest of its request meets a closed port. */
    private void linger() {
        pace.closing();
        channel.shutdownOutput();
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public boolean closesAfter() {
        return closesAfter;
    }

    @Override
    public void finished(HttpExchange ended) {
        if (exchange == ended) {
            exchange = null;
            afterResponse();
        }
    }

    private void afterResponse() {
        if (closesAfter) {
            linger();
            return;
        }
        rest();
        while (exchange == null && !pending.isEmpty()) {
            read(pending.remove());
        }
        if (pending.isEmpty() && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    private void rest() {
        closesAfter = false;
        pace.resting();
    }

    @Override
    public void breakOff() {
        channel.close();
    }

    /** Ends what takes too long, and keeps a silent stream alive. */
    void check() {
        if (isTooSlow()) {
            channel.eventLoop().execute(this::tooSlow);
            return;
        }
        var current = exchange;
        if (current != null && outbox.isQuiet(connections.limits().commentInterval())) {
            current.comment();
        }
    }

    private boolean isTooSlow() {
        return pace.isOverdue() || outbox.isStalled(connections.limits().writeDeadline());
    }

    /** Looks again first: since the check a request may have come, or room for what waits. */
    private void tooSlow() {
        if (!isTooSlow()) {
            return;
        }
        if (pace.isReading() && pace.isOverdue() && !isDiscarding) {
            refuse(Refusal.fatal(408, "the request took too long to arrive"));
        } else {
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        connections.remove(this);
        pending.forEach(ReferenceCountUtil::release);
        pending.clear();
        var current = exchange;
        exchange = null;
        if (current != null) {
            current.abandon();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            connections.logger().log(WARNING, "[mcp-bridge] a connection ends because of an unexpected failure", cause);
        }
        channel.close();
    }
}
