package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.stream.ByteSink;
import io.mcpbridge.stream.ClientLineConnection;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One session of HTTP+SSE, revision 2024-11-05. Posted messages are read as lines, and lines for the client are written
 * as events. The session ends with its connection. Any thread may use it.
 */
final class SseListenerSession implements OpenResponse, ByteSink {
    private static final int MAX_WAITING_BYTES = 64 << 10;
    private static final String ENDPOINT = "event: endpoint\ndata: " + HttpEndpoint.MESSAGES_PATH + "?sessionId=";

    private final ListenerContext context;
    private final ExchangeConnection connection;
    private final Peer peer;
    private final ClientLineConnection lines;
    /** The beginning of a message; used by the writing thread. */
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private volatile boolean isBegun;
    private volatile boolean awaitsWritable;

    SseListenerSession(ListenerContext context, ExchangeConnection connection, Peer peer) {
        this.context = context;
        this.connection = connection;
        this.peer = peer;
        this.lines = new ClientLineConnection(this, peer, context.clientLimits(), context.environment());
    }

    Principal principal() {
        return peer.principal();
    }

    /** Asks the acceptor to accept the client, and then names the endpoint for its posts. */
    void start() {
        connection.queue().onProgress(this::progressed);
        lines.start(connected -> {
            var intake = context.acceptor().connected(connected);
            intake.ifPresent(this::begin);
            return intake;
        });
    }

    private void begin(Intake accepted) {
        var endpoint = ENDPOINT + context.sseSessions().add(this) + "\n\n";
        connection.queue().put(ResponseEncoder.streamHead(connection.options().closing()));
        connection.queue().put(ResponseEncoder.text(endpoint));
        // A comment must not precede the head.
        isBegun = true;
    }

    /** Reads a message that the client posted on another connection; runs {@code then} when it is delivered. */
    void post(Message message, Runnable then) {
        connection.queue().execute(() -> {
            var bytes = ByteBuffer.allocate(message.length() + 1);
            message.writeTo(bytes);
            lines.received(bytes.put((byte) '\n').flip());
            then.run();
        });
    }

    @Override
    public void write(ByteBuffer bytes) {
        if (connection.queue().waitingBytes() >= MAX_WAITING_BYTES) {
            return;
        }
        // A message contains no line end, so the last byte shows whether this is its end.
        boolean isWhole = bytes.get(bytes.limit() - 1) == '\n';
        var part = new byte[bytes.remaining()];
        bytes.get(part);
        line.write(part, 0, isWhole ? part.length - 1 : part.length);
        if (isWhole) {
            connection.queue().put(ResponseEncoder.event(line.toByteArray()));
            line.reset();
        }
    }

    @Override
    public void awaitWritable() {
        awaitsWritable = true;
        connection.queue().execute(this::progressed);
    }

    private void progressed() {
        if (awaitsWritable && connection.queue().waitingBytes() < MAX_WAITING_BYTES) {
            awaitsWritable = false;
            lines.writable();
        }
    }

    @Override
    public void close() {
        context.sseSessions().remove(this);
        var last = isBegun
                ? ResponseEncoder.lastChunk()
                : ResponseEncoder.whole(
                        503,
                        MessageHeaders.EMPTY,
                        Optional.empty(),
                        connection.options().closing());
        connection.queue().put(last, () -> connection.queue().execute(connection::abort));
    }

    @Override
    public void comment() {
        if (isBegun) {
            connection.queue().put(ResponseEncoder.comment());
        }
    }

    @Override
    public void abandon() {
        lines.lost("the client ended its stream");
    }
}
