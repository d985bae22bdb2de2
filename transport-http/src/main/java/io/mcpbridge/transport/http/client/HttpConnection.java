package io.mcpbridge.transport.http.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelProgressiveFuture;
import io.netty.channel.ChannelProgressiveFutureListener;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the server, which carries one {@link HttpCall} after another.
 *
 * <p>Its state belongs to the event loop of the channel; any thread may call {@link #run} and {@link #close}. It never
 * sends a request twice: a call that cannot begin goes back to its {@link Owner}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close or a write ends comes as an event
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Pattern TIMEOUT = Pattern.compile("timeout=(\\d{1,6})");

    private final Channel channel;
    private final Owner owner;
    private final boolean isTls;
    private @Nullable HttpCall call;
    private boolean isUsed;
    private boolean handedOver;
    private boolean written;
    private boolean reusable;
    private boolean isInformational;
    private volatile Optional<Duration> serverKeepAlive = Optional.empty();

    HttpConnection(Channel channel, Owner owner, boolean isTls) {
        this.channel = channel;
        this.owner = owner;
        this.isTls = isTls;
    }

    /** Runs the call, or gives it back to the owner if the connection has ended. */
    void run(HttpCall next) {
        if (channel.eventLoop().inEventLoop()) {
            runHere(next);
        } else {
            channel.eventLoop().execute(() -> runHere(next));
        }
    }

    private void runHere(HttpCall next) {
        if (!channel.isActive() || isStale()) {
            channel.close();
            owner.stale(next);
            return;
        }
        if (!next.begin(this)) {
            free();
            return;
        }
        call = next;
        handedOver = isTls;
        written = false;
        reusable = false;
        channel.writeAndFlush(next.request(channel.alloc()), channel.newProgressivePromise())
                .addListener(new Progress(next));
    }

    /**
     * Whether the server has closed the connection meanwhile. Not checked with TLS, which may receive records at any
     * time, nor on a new connection: a server that closes each one at once would be dialed for ever.
     */
    private boolean isStale() {
        return isUsed && !isTls && channel instanceof StaleCheckChannel kept && !kept.isQuiet();
    }

    /** Gives the connection to its owner for another call, on the event loop. */
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
        call = null;
        channel.close();
    }

    /** Closes the connection if {@code of} is still the call on it, which receives nothing more. */
    void close(HttpCall of) {
        ifOn(of, this::closeHere);
    }

    /**
     * Closes the connection as if it had broken, if {@code of} is still the call on it, which receives the failure.
     */
    void breakOff(HttpCall of) {
        ifOn(of, channel::close);
    }

    private void ifOn(HttpCall of, Runnable action) {
        channel.eventLoop().execute(() -> {
            if (call == of) {
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
        var current = call;
        if (current == null) {
            channel.close();
            return;
        }
        if (object.decoderResult().isFailure()) {
            broken(new IOException(
                    "the response is not HTTP/1.1", object.decoderResult().cause()));
            return;
        }
        if (object instanceof HttpResponse head) {
            head(current, head);
        }
        if (object instanceof HttpContent content && !isInformational) {
            body(current, content.content());
        }
        if (object instanceof LastHttpContent && !isInformational && current == call) {
            end(current);
        }
    }

    private void head(HttpCall current, HttpResponse head) {
        isInformational = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (isInformational) {
            return;
        }
        reusable = HttpUtil.isKeepAlive(head);
        var hint = head.headers().get("keep-alive");
        var timeout = hint == null ? null : TIMEOUT.matcher(hint);
        if (timeout != null && timeout.find()) {
            serverKeepAlive = Optional.of(Duration.ofSeconds(Long.parseLong(timeout.group(1))));
        }
        current.head(head);
    }

    private void body(HttpCall current, ByteBuf part) {
        if (part.isReadable() && current == call) {
            current.body(part);
        }
    }

    private void end(HttpCall current) {
        call = null;
        if (reusable && written && channel.isActive()) {
            // Free first: the receiver may send the next request at once.
            free();
        } else {
            channel.close();
        }
        current.end();
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
        var current = call;
        call = null;
        channel.close();
        if (current != null) {
            current.broken(cause, handedOver);
        }
    }

    /** The pool that the connection belongs to; called on the event loop. */
    interface Owner {

        /** The connection can carry another call. */
        void free(HttpConnection connection);

        /** The connection has ended; called once. */
        void closed(HttpConnection connection);

        /** The connection ended before the call began; the call needs another one. */
        void stale(HttpCall call);
    }

    /** Records whether the system took any byte of a request, which decides its delivery. */
    private final class Progress implements ChannelProgressiveFutureListener {
        private final HttpCall of;

        private Progress(HttpCall of) {
            this.of = of;
        }

        @Override
        public void operationProgressed(ChannelProgressiveFuture future, long progress, long total) {
            handedOver |= call == of && progress > 0;
        }

        @Override
        public void operationComplete(ChannelProgressiveFuture future) {
            if (call != of) {
                return;
            }
            if (future.isSuccess()) {
                handedOver = true;
                written = true;
            } else {
                broken(future.cause());
            }
        }
    }
}
