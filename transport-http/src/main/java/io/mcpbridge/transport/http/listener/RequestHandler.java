package io.mcpbridge.transport.http.listener;

import static java.lang.System.Logger.Level.WARNING;

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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client: reads a request, has the {@link Gate} judge it, hands it over and waits for its
 * response before it looks at the next one. Belongs to its event loop; {@link #check} may come from any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends comes as an event
final class RequestHandler extends ChannelInboundHandlerAdapter implements Link {
    private final Connections connections;
    private final SocketChannel channel;
    private final Outbox outbox;
    private final Pace pace;
    private final Reception reception;
    private final RequestsAhead ahead = new RequestsAhead();
    private @Nullable HttpRequest head;
    private Gate.@Nullable Verdict verdict;
    private @Nullable Body body;
    private boolean closesAfter;
    private boolean isDiscarding;
    private volatile @Nullable Answering exchange;

    RequestHandler(Connections connections, SocketChannel channel) {
        this.connections = connections;
        this.channel = channel;
        this.reception = new Reception(connections, this);
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
        if (exchange == null && ahead.isEmpty()) {
            read((HttpObject) object);
            return;
        }
        ahead.add((HttpObject) object);
        if (ahead.isEnough()) {
            channel.config().setAutoRead(false);
        }
        if (ahead.isTooMuch()) {
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
        verdict = connections.gate().judge(request);
        head = request;
        closesAfter = !HttpUtil.isKeepAlive(request);
        if (verdict.refusal().isPresent()) {
            refuse(verdict.refusal().get());
            return;
        }
        pace.body();
        body = new Body(connections.limits().maxBodyBytes(), HttpUtil.getContentLength(request, -1L));
        if (HttpUtil.is100ContinueExpected(request)) {
            outbox.put(HttpText.goOn());
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
        var admitted = verdict;
        var collected = body;
        if (isDiscarding || request == null || collected == null || admitted == null) {
            isDiscarding = false;
            rest();
            return;
        }
        head = null;
        body = null;
        pace.handling();
        reception.received(request, admitted, collected.take());
    }

    private void refuse(Refusal refusal) {
        body = null;
        head = null;
        isDiscarding = true;
        boolean closes = closesAfter || refusal.endsConnection();
        connections.notes().refused(Notes.host(channel), refusal.status());
        var whole = HttpText.whole(refusal.status(), refusal.headers(), Optional.of(refusal.error()), closes);
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
    public String address() {
        return String.valueOf(channel.remoteAddress());
    }

    @Override
    public void begun(Answering answering) {
        exchange = answering;
    }

    @Override
    public boolean closesAfter() {
        return closesAfter;
    }

    @Override
    public void finished(Answering ended) {
        if (exchange == ended) {
            exchange = null;
            answered();
        }
    }

    @Override
    public void answered() {
        if (closesAfter) {
            linger();
            return;
        }
        rest();
        while (exchange == null && !ahead.isEmpty()) {
            read(ahead.remove());
        }
        if (!ahead.isEnough() && !channel.config().isAutoRead()) {
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
            if (outbox.isStalled(connections.limits().writeDeadline())) {
                connections.noteStall(address(), outbox.waitingBytes());
            }
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        connections.remove(this);
        ahead.release();
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
