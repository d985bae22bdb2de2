package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.transport.http.internal.Names;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One GET for an event stream. It ends with exactly one of {@link Hearer#refused} and {@link Hearer#over}. */
final class StreamTurn implements Turn {
    private final Session session;
    private final ProtocolVersion version;
    private final String lastEventId;
    private final Hearer hearer;
    private volatile @Nullable Connection connection;
    private @Nullable EventReader events;
    private boolean isOver;

    StreamTurn(Session session, ProtocolVersion version, String lastEventId, Hearer hearer) {
        this.session = session;
        this.version = version;
        this.lastEventId = lastEventId;
        this.hearer = hearer;
    }

    @Override
    public boolean begin(Connection on) {
        connection = on;
        return hearer.begins(this);
    }

    @Override
    public ByteBuf request(ByteBufAllocator allocator) {
        return session.heads().get(allocator, session.headersForStream(version, lastEventId));
    }

    @Override
    public void head(HttpResponse head) {
        var type = Names.mediaType(head.headers().get(Names.CONTENT_TYPE, ""));
        if (head.status().codeClass() == HttpStatusClass.SUCCESS && type.equals(Names.EVENT_STREAM)) {
            hearer.opened();
            events = new EventReader(
                    session.environment().bounds().fromServers().maxBytes(), hearer::event, hearer::retry);
            return;
        }
        isOver = true;
        close();
        hearer.refused(head);
    }

    @Override
    public void body(ByteBuf part) {
        if (events == null) {
            return;
        }
        hearer.heard();
        try {
            events.feed(part);
        } catch (EventReader.TooLarge tooLarge) {
            close();
            over();
        }
    }

    /** Ends the stream from any thread; nothing more is heard of it. */
    void close() {
        var current = connection;
        if (current != null) {
            current.close(this);
        }
    }

    /** Ends the stream from any thread as if it had broken. */
    void breakOff() {
        var current = connection;
        if (current != null) {
            current.breakOff(this);
        }
    }

    @Override
    public void end() {
        over();
    }

    @Override
    public void broken(Throwable cause, boolean handedOver) {
        over();
    }

    @Override
    public void cannotConnect(Failure why) {
        over();
    }

    private void over() {
        if (!isOver) {
            isOver = true;
            hearer.over();
        }
    }

    /** Hears what becomes of the stream, on the event loop of its connection. */
    interface Hearer {

        /** A connection is there; false if the stream is not wanted any more. */
        boolean begins(StreamTurn turn);

        /** The server has opened the stream. */
        void opened();

        /** Bytes have come, be it only a comment that says that the stream is alive. */
        default void heard() {}

        void event(ServerEvent event);

        /** The server says how long to wait before taking the stream up. */
        void retry(Duration pause);

        /** The server has answered with something else than a stream. */
        void refused(HttpResponse head);

        /** The stream has ended, or there was no connection. */
        void over();
    }
}
