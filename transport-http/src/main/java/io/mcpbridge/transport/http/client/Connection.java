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
 * One connection to the server, which carries one {@link Turn} after the other.
 *
 * <p>Its state belongs to the channel's event loop; {@link #run} and {@link #close} may be called from any
 * thread. It never sends a request twice: what cannot be begun goes back to its {@link Owner}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close or a write ends comes as an event
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Pattern TIMEOUT = Pattern.compile("timeout=(\\d{1,6})");

    private final Channel channel;
    private final Owner owner;
    private final boolean isTls;
    private @Nullable Turn turn;
    private boolean isUsed;
    private boolean handedOver;
    private boolean written;
    private boolean reusable;
    private boolean isInformational;
    private volatile Optional<Duration> serverKeepAlive = Optional.empty();

    Connection(Channel channel, Owner owner, boolean isTls) {
        this.channel = channel;
        this.owner = owner;
        this.isTls = isTls;
    }

    /** Runs the turn, or gives it back to the owner if the connection is gone already. */
    void run(Turn next) {
        if (channel.eventLoop().inEventLoop()) {
            runHere(next);
        } else {
            channel.eventLoop().execute(() -> runHere(next));
        }
    }

    private void runHere(Turn next) {
        if (!channel.isActive() || isStale()) {
            channel.close();
            owner.stale(next);
            return;
        }
        isUsed = true;
        if (!next.begin(this)) {
            owner.free(this);
            return;
        }
        turn = next;
        handedOver = isTls;
        written = false;
        reusable = false;
        channel.writeAndFlush(next.request(channel.alloc()), channel.newProgressivePromise())
                .addListener(new Progress(next));
    }

    /** Not with TLS, which speaks unasked, nor on a new connection: who hangs up at once would be dialed for ever. */
    private boolean isStale() {
        return isUsed && !isTls && channel instanceof KeptChannel kept && !kept.isQuiet();
    }

    /** Does something on the event loop when what it does now is done. */
    void later(Runnable action) {
        channel.eventLoop().execute(action);
    }

    /** Ends the connection, whatever is on it; a turn hears nothing more. */
    void close() {
        if (channel.eventLoop().inEventLoop()) {
            closeHere();
        } else {
            channel.eventLoop().execute(this::closeHere);
        }
    }

    private void closeHere() {
        turn = null;
        channel.close();
    }

    /**
     * Ends the connection if {@code of} is still the turn on it, which hears nothing more; a connection that
     * carries another one by now is let be.
     */
    void close(Turn of) {
        ifOn(of, this::closeHere);
    }

    /** Ends the connection as if it had broken, so that {@code of}, if it is still on it, hears of it. */
    void breakOff(Turn of) {
        ifOn(of, channel::close);
    }

    private void ifOn(Turn of, Runnable action) {
        channel.eventLoop().execute(() -> {
            if (turn == of) {
                action.run();
            }
        });
    }

    boolean isActive() {
        return channel.isActive();
    }

    /** For how long the server keeps the connection when nothing is sent, where it says so. */
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
        var current = turn;
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
        if (object instanceof LastHttpContent && !isInformational && current == turn) {
            end(current);
        }
    }

    private void head(Turn current, HttpResponse head) {
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

    private void body(Turn current, ByteBuf part) {
        if (part.isReadable() && current == turn) {
            current.body(part);
        }
    }

    private void end(Turn current) {
        turn = null;
        if (reusable && written && channel.isActive()) {
            // Free first: the turn's receiver may well send the next request at once.
            owner.free(this);
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
        var current = turn;
        turn = null;
        channel.close();
        if (current != null) {
            current.broken(cause, handedOver);
        }
    }

    /** The pool that the connection belongs to; called from the event loop. */
    interface Owner {

        /** The connection can carry another turn. */
        void free(Connection connection);

        /** The connection has ended; comes once. */
        void closed(Connection connection);

        /** The turn found its connection ended before it began, so it needs another one. */
        void stale(Turn turn);
    }

    /** Notes whether any byte of a request was taken by the system, which decides about its delivery. */
    private final class Progress implements ChannelProgressiveFutureListener {
        private final Turn of;

        private Progress(Turn of) {
            this.of = of;
        }

        @Override
        public void operationProgressed(ChannelProgressiveFuture future, long progress, long total) {
            handedOver |= turn == of && progress > 0;
        }

        @Override
        public void operationComplete(ChannelProgressiveFuture future) {
            if (turn != of) {
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
