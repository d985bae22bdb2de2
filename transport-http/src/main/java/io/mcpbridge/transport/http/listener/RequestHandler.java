package io.mcpbridge.transport.http.listener;

import static java.lang.System.Logger.Level.WARNING;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange.Kind;
import io.mcpbridge.transport.http.internal.Body;
import io.mcpbridge.transport.http.internal.Names;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client: reads a request, has the {@link Gate} judge it, hands it over and waits for its
 * response before it looks at the next one. Belongs to its event loop; {@link #check} may come from any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends comes as an event
final class RequestHandler extends ChannelInboundHandlerAdapter implements HttpExchange.Link {
    private static final int MOST_PENDING = 256;

    /** Headers that are ours to judge and nobody else's to see. */
    private static final Set<String> SECRET = Set.of(Names.AUTHORIZATION, "cookie", "proxy-authorization");

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
        this.outbox = new Outbox(channel, connections.timekeeper(), limits.maxQueuedBytes());
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
            refuse(unreadable(request.decoderResult().cause()));
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

    private static Refusal unreadable(Throwable cause) {
        if (cause instanceof TooLongHttpHeaderException) {
            return Refusal.fatal(431, "the headers are too large");
        }
        return cause instanceof TooLongHttpLineException
                ? Refusal.fatal(414, "the request line is too long")
                : Refusal.fatal(400, "this is not a well-formed HTTP/1.1 request");
    }

    private void body(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            refuse(Refusal.fatal(400, "this is not a well-formed HTTP/1.1 request"));
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
        if (request.method().equals(HttpMethod.POST)) {
            message(request, collected.take());
        } else {
            boolean isResume = request.headers().contains(Names.LAST_EVENT_ID);
            var get = isResume ? Kind.RESUME : Kind.LISTEN;
            handOver(request.method().equals(HttpMethod.GET) ? get : Kind.END, request, Optional.empty());
        }
    }

    private void message(HttpRequest request, byte[] json) {
        var limits = Limits.CLIENT.withMaxBytes(connections.limits().maxBodyBytes());
        try {
            handOver(Kind.MESSAGE, request, Optional.of(Message.scan(json, limits)));
        } catch (ProtocolException malformed) {
            var error = error(Message.readableId(json, limits), malformed.failure());
            outbox.put(Wire.whole(400, Metadata.EMPTY, Optional.of(error), closesAfter), this::afterResponse);
        }
    }

    private static Response error(Optional<MessageId> id, Failure failure) {
        int code = failure.code().jsonRpcCode();
        return id.map(known -> Response.error(known, code, failure.message()))
                .orElseGet(() -> Response.error(code, failure.message()));
    }

    private void handOver(Kind kind, HttpRequest request, Optional<Message> message) {
        var headers = new HashMap<String, List<String>>();
        for (var name : request.headers().names()) {
            headers.put(name, request.headers().getAll(name));
        }
        headers.keySet().removeIf(name -> SECRET.contains(name.toLowerCase(Locale.ROOT)));
        var received = new HttpExchange.Received(kind, message, Metadata.of(Map.copyOf(headers)), principal);
        var made = new HttpExchange(received, this, connections.replay());
        exchange = made;
        connections.intake().received(made);
    }

    private void refuse(Refusal refusal) {
        body = null;
        head = null;
        isDiscarding = true;
        boolean closes = closesAfter || refusal.endsConnection();
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
        if (pace.isOverdue() || outbox.isStalled(connections.limits().writeDeadline())) {
            channel.eventLoop().execute(this::tooSlow);
            return;
        }
        var current = exchange;
        if (current != null && outbox.isQuiet(connections.limits().commentInterval())) {
            current.comment();
        }
    }

    private void tooSlow() {
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

    void close() {
        channel.close();
    }
}
