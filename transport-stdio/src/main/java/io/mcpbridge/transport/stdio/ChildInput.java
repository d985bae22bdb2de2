package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport.Receiver;
import io.mcpbridge.spi.TransportFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes to a child's standard input, on its own thread or on that of a sender that waits anyway.
 *
 * <p>A write may get stuck for as long as the child does not read; only the thread that writes feels it.
 */
final class ChildInput {
    private final OutputStream stdin;
    private final StdioSettings settings;
    private final Receiver receiver;
    private final ReceiverGate gate;
    private final Consumer<IOException> onBroken;
    private final WriteQueue queue;

    ChildInput(
            StdioSettings settings,
            OutputStream stdin,
            Receiver receiver,
            ReceiverGate gate,
            Consumer<IOException> onBroken) {
        this.settings = settings;
        this.stdin = stdin;
        this.receiver = receiver;
        this.gate = gate;
        this.onBroken = onBroken;
        this.queue = new WriteQueue(settings.maxQueued(), settings.maxQueuedBytes());
    }

    void send(Outgoing out) {
        switch (queue.add(out)) {
            case YOUR_TURN -> write(List.of(out));
            // The end of the connection, which is told or about to be, ends it with all that is under way.
            case QUEUED, CLOSED -> {}
            case FULL -> refuse(out);
        }
    }

    /** Takes {@code out} back, or tells the child that its answer is no longer wanted. */
    boolean abandon(Outgoing out, String reason) {
        if (queue.remove(out)) {
            return true;
        }
        if (out.message() instanceof Request request) {
            cancel(request, out, reason);
        }
        return false;
    }

    /** The whole life of the writer thread. */
    void write() {
        try {
            for (var batch = queue.take(); !batch.isEmpty(); batch = queue.take()) {
                write(batch);
            }
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            // The outermost frame of the thread; without it nothing would be written any more.
            broke(new IOException("writing failed within the bridge", failed));
        }
    }

    /** The child has said something, and so has read what it answers. */
    void heard(Message message) {
        queue.heard(message);
    }

    /** Writes nothing more that is not being written already. */
    void close() {
        queue.close();
    }

    private void write(List<Outgoing> batch) {
        try {
            var told = new ArrayList<Outgoing>(batch.size());
            for (var out : batch) {
                if (gate.written(out)) {
                    told.add(out);
                }
            }
            stdin.write(lines(told));
        } catch (IOException gone) {
            broke(gone);
        } finally {
            queue.done();
        }
    }

    private void cancel(Request request, Outgoing out, String reason) {
        if (!request.method().equals(Methods.INITIALIZE)) {
            // Where there is no room for this either, the child reads nothing, and so would not read this.
            queue.add(Outgoing.of(cancellation(request, reason), out.version(), out.deadline()));
        }
    }

    private void broke(IOException why) {
        queue.close();
        onBroken.accept(why);
    }

    private void refuse(Outgoing out) {
        var failure = Failure.of(ErrorCode.OVERLOADED, full());
        receiver.failed(out, TransportFailure.of(TransportFailure.Kind.REQUEST_FAILED, failure));
    }

    private String full() {
        return "'%s' does not read its input fast enough: the limits are max-queued = %d messages and max-queued-bytes = %d"
                .formatted(settings.command(), settings.maxQueued(), settings.maxQueuedBytes());
    }

    private static Notification cancellation(Request request, String reason) {
        var params = "{\"requestId\":%s,\"reason\":%s}".formatted(request.id().raw(), JsonText.quote(reason));
        return Notification.of(Methods.CANCELLED, params);
    }

    private static byte[] lines(List<Outgoing> batch) {
        var length = 0;
        for (var out : batch) {
            length += out.message().length() + 1;
        }
        var bytes = ByteBuffer.allocate(length);
        for (var out : batch) {
            out.message().writeTo(bytes);
            bytes.put((byte) '\n');
        }
        return bytes.array();
    }
}
