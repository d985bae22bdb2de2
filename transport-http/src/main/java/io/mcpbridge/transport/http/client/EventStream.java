package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event stream of the server, requested by GET. After it has ended, it can be requested again, starting after the
 * last event. Any thread may use it.
 */
final class EventStream {
    private final HttpClientSession context;
    private final ProtocolVersion version;
    private final StreamPosition position;
    private final Consumer<HttpCall> connections;
    private volatile Timekeeper.Alarm alarm = () -> {};
    private volatile Runnable closing = () -> {};
    private volatile Runnable breaking = () -> {};
    private volatile boolean isClosed;

    /**
     * Creates a stream that is not requested yet.
     *
     * @param connections runs each GET
     */
    EventStream(
            HttpClientSession context,
            ProtocolVersion version,
            StreamPosition position,
            Consumer<HttpCall> connections) {
        this.context = context;
        this.version = version;
        this.position = position;
        this.connections = connections;
    }

    /** Requests the stream, unless it was closed. */
    void open(Listener listener) {
        if (!isClosed) {
            connections.accept(new Get(listener));
        }
    }

    /** Requests the rest of the stream after a delay, which the server may name and which grows with failures in a row. */
    void resume(int failures, Listener listener) {
        var environment = context.environment();
        var pause = position.pause(failures, context.settings().reconnectDelay(), environment.random());
        alarm = environment.timekeeper().schedule(pause, () -> open(listener));
        if (isClosed) {
            alarm.cancel();
        }
    }

    /** Closes the stream for good; an event in progress may still be delivered, nothing after it. */
    void close() {
        isClosed = true;
        alarm.cancel();
        closing.run();
    }

    /** Closes the connection as if it had broken. */
    void breakOff() {
        breaking.run();
    }

    private void forgetConnection() {
        closing = () -> {};
        breaking = () -> {};
    }

    /** One GET. It ends with exactly one of {@link Listener#refused} and {@link Listener#over}. */
    private final class Get implements HttpCall {
        private final Listener listener;
        private @Nullable SseParser parser;
        private boolean isOver;

        private Get(Listener listener) {
            this.listener = listener;
        }

        @Override
        public boolean begin(HttpConnection connection) {
            closing = () -> connection.close(this);
            breaking = () -> connection.breakOff(this);
            return isPending();
        }

        @Override
        public boolean isPending() {
            return !isClosed;
        }

        @Override
        public ByteBuf request(ByteBufAllocator allocator) {
            return context.encoder().get(allocator, context.headersForStream(version, position.lastId()));
        }

        @Override
        public void head(HttpResponse head) {
            var type = HeaderNames.mediaType(head.headers().get(HeaderNames.CONTENT_TYPE, ""));
            if (head.status().codeClass() == HttpStatusClass.SUCCESS && type.equals(HeaderNames.EVENT_STREAM)) {
                listener.opened();
                int most = context.environment().limits().fromServers().maxBytes();
                parser = new SseParser(most, listener::event, position::retry);
                return;
            }
            isOver = true;
            closing.run();
            forgetConnection();
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
                closing.run();
                over();
            }
        }

        @Override
        public void over() {
            if (!isOver) {
                isOver = true;
                forgetConnection();
                listener.over();
            }
        }
    }

    /** Receives the progress of a stream, on the event loop of its connection. */
    interface Listener {

        /** The server has opened the stream. */
        default void opened() {}

        /** Bytes have arrived; also for a comment, which shows that the stream is alive. */
        default void received() {}

        void event(SseEvent event);

        /** The server has not answered with an event stream. */
        void refused(HttpResponse head);

        /** The stream has ended, or there was no connection. */
        void over();
    }
}
