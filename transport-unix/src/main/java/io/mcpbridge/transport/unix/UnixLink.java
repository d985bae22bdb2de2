package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FrameReader;
import io.mcpbridge.message.FrameSink;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport.Receiver;
import io.mcpbridge.spi.TransportFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An open connection to a server, from its beginning to its end, which it tells once. Any thread may send,
 * abandon and end; what comes in is handed over by the loop's thread.
 */
final class UnixLink implements SocketConnection.Events, SendQueue.Owner {
    private final Receiver receiver;
    private final SocketLoops loops;
    private final SocketConnection connection;
    private final SendQueue queue;
    private final Limits limits;
    private final FrameReader frames;
    private final FrameSink sink = this::frame;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean delivering;

    @GuardedBy("lock")
    private @Nullable Closed why;

    private volatile boolean over;

    /** Takes a connected channel over; nothing is read before {@link #begin}. */
    UnixLink(
            SocketChannel channel,
            UnixTransportSettings settings,
            Environment environment,
            SocketLoops loops,
            Receiver receiver) {
        this.receiver = receiver;
        this.loops = loops;
        this.limits = environment.bounds().fromServers();
        this.frames = new FrameReader(limits);
        var loop = loops.acquire(environment.logger());
        this.connection = new SocketConnection(channel, loop, environment.timekeeper(), this);
        this.queue = new SendQueue(settings, connection, this);
    }

    /** Begins to read; the receiver may answer at once, so whoever sends for it must know this link by now. */
    void begin() {
        connection.begin();
    }

    /** What is sent once this is over ends with it, as all that is under way. */
    void send(Outgoing out) {
        queue.add(out).filter(refusal -> !over).ifPresent(refusal -> receiver.failed(out, failure(refusal)));
    }

    /** Takes the message back, or cancels its request on the wire. */
    boolean abandon(Outgoing out, String reason) {
        if (queue.remove(out)) {
            return true;
        }
        if (out.message() instanceof Request request && !request.method().equals(Methods.INITIALIZE)) {
            var params =
                    "{\"requestId\":%s,\"reason\":%s}".formatted(request.id().raw(), JsonText.quote(reason));
            var cancellation = Notification.of(Methods.CANCELLED, params);
            // Where there is no room for it the server works in vain, which harms nobody.
            queue.add(Outgoing.of(cancellation, out.version(), out.deadline()));
        }
        return false;
    }

    /** Ends the connection; only the first reason counts. */
    void end(Closed reason) {
        boolean tell;
        lock.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            why = reason;
            tell = !delivering;
        } finally {
            lock.unlock();
        }
        queue.close();
        connection.close();
        if (tell) {
            receiver.closed(reason);
        }
        loops.release();
    }

    @Override
    public void read(ByteBuffer bytes) {
        if (!enter()) {
            bytes.position(bytes.limit());
            return;
        }
        try {
            frames.feed(bytes, sink);
        } catch (ProtocolException unreadable) {
            end(Closed.invalid("the server's stream cannot be read on: " + unreadable.getMessage()));
        } finally {
            leave();
        }
    }

    @Override
    public void halfClosed() {
        end(Closed.disconnected("the server closed the connection"));
    }

    @Override
    public void lost(String reason) {
        end(Closed.disconnected("the connection to the server is lost: " + reason));
    }

    @Override
    public void writable() {
        queue.flush();
    }

    @Override
    public void written(Outgoing out) {
        receiver.written(out);
    }

    @Override
    public void broken(IOException cause) {
        end(Closed.disconnected("the connection to the server is lost: " + cause.getMessage())
                .withCause(cause));
    }

    private void frame(byte[] json) {
        if (over) {
            return;
        }
        Message message;
        try {
            message = Message.scanOfServer(json, limits);
        } catch (ProtocolException malformed) {
            receiver.unreadable(malformed, Message.readableAnswerId(json, limits));
            return;
        }
        receiver.message(message, Optional.empty());
    }

    private boolean enter() {
        lock.lock();
        try {
            delivering = !over;
            return delivering;
        } finally {
            lock.unlock();
        }
    }

    /** The end of the connection is told after the messages that came before it. */
    private void leave() {
        Closed endedMeanwhile;
        lock.lock();
        try {
            delivering = false;
            endedMeanwhile = why;
        } finally {
            lock.unlock();
        }
        if (endedMeanwhile != null) {
            receiver.closed(endedMeanwhile);
        }
    }

    private static TransportFailure failure(String refusal) {
        var failure = Failure.of(ErrorCode.OVERLOADED, "the message is not sent: " + refusal);
        return TransportFailure.of(TransportFailure.Kind.REQUEST_FAILED, failure);
    }
}
