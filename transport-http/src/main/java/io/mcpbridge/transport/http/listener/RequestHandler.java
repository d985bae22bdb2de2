package io.mcpbridge.transport.http.listener;

import static java.lang.System.Logger.Level.WARNING;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpObject;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client: has the {@link RequestReader} read a request and waits for its response before it looks at
 * the next one. Belongs to its event loop; {@link #check} may come from any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends comes as an event
final class RequestHandler extends ChannelInboundHandlerAdapter implements Link {
    private final Connections connections;
    private final SocketChannel channel;
    private final Outbox outbox;
    private final Pace pace;
    private final RequestReader reader;
    private final RequestsAhead ahead = new RequestsAhead();
    private volatile @Nullable Answering exchange;

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
        this.reader = new RequestReader(connections, channel, this, pace);
    }

    Pace pace() {
        return pace;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object object) {
        if (exchange == null && ahead.isEmpty()) {
            reader.read((HttpObject) object);
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

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public @Nullable SocketAddress client() {
        return channel.remoteAddress();
    }

    @Override
    public String address() {
        return String.valueOf(client());
    }

    @Override
    public void begun(Answering answering) {
        exchange = answering;
    }

    @Override
    public Manner manner() {
        return reader.manner();
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
        boolean closes = reader.manner().closes();
        reader.over();
        if (closes) {
            return;
        }
        while (exchange == null && !ahead.isEmpty()) {
            reader.read(ahead.remove());
        }
        if (!ahead.isEnough() && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void breakOff() {
        channel.close();
    }

    @Override
    public void overflow() {
        connections.noteOverflow(channel, outbox.waitingBytes());
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
        if (reader.isReading() && pace.isOverdue()) {
            reader.refuse(Refusal.fatal(408, "the request took too long to arrive"));
        } else {
            if (outbox.isStalled(connections.limits().writeDeadline())) {
                connections.noteStall(channel, outbox.waitingBytes());
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
