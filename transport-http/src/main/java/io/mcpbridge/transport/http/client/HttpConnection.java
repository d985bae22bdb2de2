package io.mcpbridge.transport.http.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the server, which carries one {@link HttpCall} after another.
 *
 * <p>The thread that took the connection from its {@link Owner} begins a call and writes its request; all else belongs to
 * the event loop of the channel. Any thread may call {@link #close}. It never sends a request twice: a call that cannot
 * begin goes back to its owner.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close or a write ends comes as an event
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Pattern TIMEOUT = Pattern.compile("timeout=(\\d{1,6})");

    private final Channel channel;
    /** The channel, if threads can write to it without the event loop; null with TLS. */
    private final @Nullable DirectSocket socket;

    private final Owner owner;
    /** Set by the thread that begins a call, to null by the event loop. */
    private volatile @Nullable Exchange current;

    private boolean isUsed;
    private boolean isInformational;
    private volatile Optional<Duration> serverKeepAlive = Optional.empty();

    HttpConnection(Channel channel, Owner owner, boolean isTls) {
        this.channel = channel;
        this.socket = channel instanceof DirectSocket direct && !isTls ? direct : null;
        this.owner = owner;
    }

    /** Runs the call, or gives it back to the owner if the connection has ended. */
    void run(HttpCall next) {
        if (socket == null && !channel.eventLoop().inEventLoop()) {
            channel.eventLoop().execute(() -> run(next));
            return;
        }
        if (!channel.isActive() || isStale()) {
            channel.close();
            owner.stale(next);
            return;
        }
        if (!next.begin(this)) {
            free();
            return;
        }
        var begun = new Exchange(next);
        current = begun;
        if (!channel.isActive()) {
            // The event loop may not have seen the call.
            breakOff(next);
        } else if (!next.isPending()) {
            // Nor the thread that cancelled it.
            close(next);
        } else {
            begun.write(next.request(channel.alloc()));
        }
    }

    /**
     * Whether the server has closed the connection meanwhile. Not checked with TLS, which may receive records at any
     * time, nor on a new connection: a server that closes each one at once would be dialed for ever.
     */
    private boolean isStale() {
        return isUsed && socket != null && !socket.isQuiet();
    }

    /** Gives the connection to its owner for another call. */
    void free() {
        isUsed = true;
        owner.free(this);
    }

    /** Closes the connection; its call receives nothing more. */
    void close() {
        if (channel.eventLoop().inEventLoop()) {
            closeHere();
        } else {
            channel.eventLoop().execute(this::closeHere);
        }
    }

    private void closeHere() {
        take();
        channel.close();
    }

    /** Takes out the call, if there is one; another thread may begin one only while there is none. */
    private @Nullable Exchange take() {
        var taken = current;
        if (taken != null) {
            current = null;
        }
        return taken;
    }

    /** Closes the connection if {@code of} is still the call on it, which receives nothing more. */
    void close(HttpCall of) {
        ifOn(of, this::closeHere);
    }

    /**
     * Closes the connection as if it had broken, if {@code of} is still the call on it, which receives the failure.
     */
    void breakOff(HttpCall of) {
        ifOn(of, () -> broken(new ClosedChannelException()));
    }

    private void ifOn(HttpCall of, Runnable action) {
        channel.eventLoop().execute(() -> {
            var exchange = current;
            if (exchange != null && exchange.call == of) {
                action.run();
            }
        });
    }

    boolean isActive() {
        return channel.isActive();
    }

    /** How long the server keeps an idle connection, if it says so. */
    Optional<Duration> serverKeepAlive() {
        return serverKeepAlive;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            read((HttpObject) message);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(HttpObject object) {
        var exchange = current;
        if (exchange == null) {
            channel.close();
            return;
        }
        if (object.decoderResult().isFailure()) {
            broken(new IOException(
                    "the response is not HTTP/1.1", object.decoderResult().cause()));
            return;
        }
        if (object instanceof HttpResponse head) {
            head(exchange, head);
        }
        if (object instanceof HttpContent content && !isInformational) {
            body(exchange, content.content());
        }
        if (object instanceof LastHttpContent && !isInformational && exchange == current) {
            end(exchange);
        }
    }

    private void head(Exchange exchange, HttpResponse head) {
        isInformational = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (isInformational) {
            return;
        }
        exchange.isKeptAlive = HttpUtil.isKeepAlive(head);
        var hint = head.headers().get("keep-alive");
        var timeout = hint == null ? null : TIMEOUT.matcher(hint);
        if (timeout != null && timeout.find()) {
            serverKeepAlive = Optional.of(Duration.ofSeconds(Long.parseLong(timeout.group(1))));
        }
        exchange.call.head(head);
    }

    private void body(Exchange exchange, ByteBuf part) {
        if (part.isReadable() && exchange == current) {
            exchange.call.body(part);
        }
    }

    private void end(Exchange exchange) {
        current = null;
        if (exchange.isKeptAlive && !exchange.isWriting && channel.isActive()) {
            // Free first: the receiver may send the next request at once.
            exchange.freeIfSecond();
        } else {
            channel.close();
        }
        exchange.call.end();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        owner.closed(this);
        broken(new ClosedChannelException());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        broken(cause);
    }

    private void broken(Throwable cause) {
        var exchange = take();
        // First, so that no byte is sent after a call that was not handed over.
        channel.close();
        if (exchange != null) {
            exchange.call.broken(cause, exchange.isHandedOver);
        }
    }

    /** The pool that the connection belongs to. */
    interface Owner {

        /** The connection can carry another call. */
        void free(HttpConnection connection);

        /** The connection has ended; called once. */
        void closed(HttpConnection connection);

        /** The connection ended before the call began; the call needs another one. */
        void stale(HttpCall call);
    }

    /** A call on the connection, and how far its request has got. */
    private final class Exchange {
        private final HttpCall call;
        private boolean isKeptAlive;
        /** Whether the system may have taken a byte of the request, which decides its delivery. */
        private volatile boolean isHandedOver = socket == null;

        /** Whether the event loop has bytes of the request to write; used by it only. */
        private boolean isWriting;

        /** Whether the request was written or its answer has ended. */
        private final AtomicBoolean isHalf = new AtomicBoolean();

        private Exchange(HttpCall call) {
            this.call = call;
        }

        /** Writes on this thread what the socket accepts at once, and the rest on the event loop. */
        void write(ByteBuf request) {
            if (socket == null) {
                writeHere(request);
                return;
            }
            // Set before the server can answer.
            isHandedOver = true;
            try {
                socket.writeNow(request);
            } catch (IOException failed) {
                isHandedOver = false;
                request.release();
                channel.eventLoop().execute(() -> failed(failed));
                return;
            }
            if (request.isReadable()) {
                channel.eventLoop().execute(() -> writeRest(request));
            } else {
                request.release();
                freeIfSecond();
            }
        }

        /** Frees the connection when both have happened: the request was written, and its answer has ended. */
        void freeIfSecond() {
            if (isHalf.getAndSet(true)) {
                free();
            }
        }

        private void failed(Throwable cause) {
            if (this == current) {
                broken(cause);
            } else {
                channel.close();
            }
        }

        private void writeRest(ByteBuf request) {
            if (this == current) {
                writeHere(request);
            } else {
                // The call has ended before its request.
                request.release();
                channel.close();
            }
        }

        private void writeHere(ByteBuf bytes) {
            isWriting = true;
            channel.writeAndFlush(bytes).addListener(done -> {
                isWriting = false;
                if (done.isSuccess()) {
                    freeIfSecond();
                } else {
                    failed(done.cause());
                }
            });
        }
    }
}
