package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One GET for an event stream. It ends with exactly one of {@link Listener#refused} and {@link Listener#over}. */
final class EventStreamRequest implements HttpCall {
    private final HttpSession session;
    private final ProtocolVersion version;
    private final String lastEventId;
    private final Listener listener;
    private volatile @Nullable HttpConnection connection;
    private @Nullable SseParser parser;
    private boolean isOver;

    EventStreamRequest(HttpSession session, ProtocolVersion version, String lastEventId, Listener listener) {
        this.session = session;
        this.version = version;
        this.lastEventId = lastEventId;
        this.listener = listener;
    }

    @Override
    public boolean begin(HttpConnection on) {
        connection = on;
        return listener.begins(this);
    }

    @Override
    public ByteBuf request(ByteBufAllocator allocator) {
        return session.encoder().get(allocator, session.headersForStream(version, lastEventId));
    }

    @Override
    public void head(HttpResponse head) {
        var type = HeaderNames.mediaType(head.headers().get(HeaderNames.CONTENT_TYPE, ""));
        if (head.status().codeClass() == HttpStatusClass.SUCCESS && type.equals(HeaderNames.EVENT_STREAM)) {
            listener.opened();
            parser = new SseParser(
                    session.environment().bounds().fromServers().maxBytes(), listener::event, listener::retry);
            return;
        }
        isOver = true;
        close();
        listener.refused(head);
    }

    @Override
    public void body(ByteBuf part) {
        if (parser == null) {
            return;
        }
        listener.received();
        try {
            parser.feed(part);
        } catch (SseParser.TooLarge tooLarge) {
            close();
            over();
        }
    }

    /** Closes the stream from any thread; the listener receives nothing more. */
    void close() {
        var current = connection;
        if (current != null) {
            current.close(this);
        }
    }

    /** Closes the stream from any thread as if it had broken. */
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
            listener.over();
        }
    }

    /** Receives the progress of the stream, on the event loop of its connection. */
    interface Listener {

        /** There is a connection; false if the stream is not wanted any more. */
        boolean begins(EventStreamRequest request);

        /** The server has opened the stream. */
        void opened();

        /** Bytes have arrived; also for a comment, which shows that the stream is alive. */
        default void received() {}

        void event(SseEvent event);

        /** The server says how long to wait before the stream is resumed. */
        void retry(Duration pause);

        /** The server has not answered with an event stream. */
        void refused(HttpResponse head);

        /** The stream has ended, or there was no connection. */
        void over();
    }
}
