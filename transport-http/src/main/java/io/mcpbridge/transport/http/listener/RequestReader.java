package io.mcpbridge.transport.http.listener;

import io.mcpbridge.transport.http.internal.Body;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts the requests of one connection together: has the {@link Gate} judge each head, collects the body, and hands both
 * to the {@link Reception}. What is refused is read to its end and thrown away. Belongs to the event loop.
 */
final class RequestReader {
    private final Connections connections;
    private final SocketChannel channel;
    private final Link link;
    private final Pace pace;
    private final Reception reception;
    private @Nullable HttpRequest head;
    private Gate.@Nullable Verdict verdict;
    private @Nullable Body body;
    private Manner manner = Manner.GOING_ON;
    private boolean isDiscarding;

    RequestReader(Connections connections, SocketChannel channel, Link link, Pace pace) {
        this.connections = connections;
        this.channel = channel;
        this.link = link;
        this.pace = pace;
        this.reception = new Reception(connections, link);
    }

    /** What goes for the response to the request that is under way. */
    Manner manner() {
        return manner;
    }

    /** Whether a request is arriving that was not refused. */
    boolean isReading() {
        return pace.isReading() && !isDiscarding;
    }

    /** Takes the next part of a request. */
    void read(HttpObject object) {
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
        manner = new Manner(!HttpUtil.isKeepAlive(request), verdict.crossOrigin());
        if (verdict.refusal().isPresent()) {
            refuse(verdict.refusal().get());
            return;
        }
        pace.body();
        body = new Body(connections.limits().maxBodyBytes(), HttpUtil.getContentLength(request, -1L));
        if (HttpUtil.is100ContinueExpected(request)) {
            link.outbox().put(HttpText.goOn());
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

    /** Answers the request that is arriving, which the core never sees. */
    void refuse(Refusal refusal) {
        body = null;
        head = null;
        isDiscarding = true;
        var how = refusal.endsConnection() ? manner.closing() : manner;
        connections.notes().refused(Notes.host(channel), refusal.status());
        var whole = HttpText.whole(refusal.status(), refusal.headers(), Optional.of(refusal.error()), how);
        link.outbox().put(whole, how.closes() ? this::linger : () -> {});
    }

    /** The response was written: waits for the next request, if there can be one. */
    void over() {
        if (manner.closes()) {
            linger();
        } else {
            rest();
        }
    }

    /** Closes our half and lets the client read the response before the rest of its request meets a closed port. */
    @SuppressWarnings("FutureReturnValueIgnored") // how it ends comes as an event
    private void linger() {
        pace.closing();
        channel.shutdownOutput();
    }

    private void rest() {
        manner = Manner.GOING_ON;
        pace.resting();
    }
}
