package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.stream.LineConnection;
import io.mcpbridge.stream.LineContext;
import io.mcpbridge.stream.Wire;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One session of HTTP+SSE, revision 2024-11-05: what the client posts comes in as lines, and what is written for it
 * leaves as events. It ends with its connection. Any thread may use it.
 */
final class SseStream implements Answering, Wire {
    private static final int ENOUGH_WAITING = 64 << 10;
    private static final String ENDPOINT = "event: endpoint\ndata: " + Place.MESSAGES_PATH + "?sessionId=";

    private final Connections connections;
    private final Link link;
    private final Peer peer;
    private final LineConnection lines;
    /** The beginning of a message; belongs to whoever writes. */
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private volatile boolean isBegun;
    private volatile boolean awaitsRoom;

    SseStream(Connections connections, Link link, Peer peer, LineContext context) {
        this.connections = connections;
        this.link = link;
        this.peer = peer;
        this.lines = new LineConnection(this, peer, context);
    }

    Principal principal() {
        return peer.principal();
    }

    /** Shows the client to the core and tells it where to post, in this order. */
    void start() {
        link.outbox().whenMoved(this::moved);
        lines.start(connected -> {
            var intake = connections.acceptor().connected(connected);
            intake.ifPresent(this::begin);
            return intake;
        });
    }

    private void begin(Intake accepted) {
        isBegun = true;
        var endpoint = ENDPOINT + connections.sseStreams().add(this) + "\n\n";
        link.outbox().put(HttpText.streamHead(link.manner().closing()));
        link.outbox().put(HttpText.text(endpoint));
    }

    /** Takes a message that the client has posted elsewhere; runs {@code then} when it was handed over. */
    void posted(Message message, Runnable then) {
        link.outbox().later(() -> {
            var bytes = ByteBuffer.allocate(message.length() + 1);
            message.writeTo(bytes);
            lines.received(bytes.put((byte) '\n').flip());
            then.run();
        });
    }

    @Override
    public void write(ByteBuffer bytes) {
        if (link.outbox().waitingBytes() >= ENOUGH_WAITING) {
            return;
        }
        // No message has a line end in it, so the last byte tells whether this is the end of one.
        boolean isWhole = bytes.get(bytes.limit() - 1) == '\n';
        var part = new byte[bytes.remaining()];
        bytes.get(part);
        line.write(part, 0, isWhole ? part.length - 1 : part.length);
        if (isWhole) {
            link.outbox().put(HttpText.event(line.toByteArray()));
            line.reset();
        }
    }

    @Override
    public void awaitWritable() {
        awaitsRoom = true;
        link.outbox().later(this::moved);
    }

    private void moved() {
        if (awaitsRoom && link.outbox().waitingBytes() < ENOUGH_WAITING) {
            awaitsRoom = false;
            lines.writable();
        }
    }

    @Override
    public void close() {
        connections.sseStreams().remove(this);
        var last = isBegun
                ? HttpText.lastChunk()
                : HttpText.whole(
                        503, Metadata.EMPTY, Optional.empty(), link.manner().closing());
        link.outbox().put(last, () -> link.outbox().later(link::breakOff));
    }

    @Override
    public void comment() {
        if (isBegun) {
            link.outbox().put(HttpText.comment());
        }
    }

    @Override
    public void abandon() {
        lines.lost("it ended its stream");
    }
}
