package io.mcpbridge.transport.http.listener;

import static java.lang.System.Logger.Level.WARNING;

import io.mcpbridge.transport.http.internal.BoundedBody;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Handles one connection of a client: its {@link RequestReader} reads a request, and the next one after the response is
 * written. Belongs to its event loop; any thread may call {@link #check}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends comes as an event
final class ConnectionHandler extends ChannelInboundHandlerAdapter implements ExchangeConnection {
    private final ListenerContext context;
    private final ClientSocket channel;
    private final ResponseWriteQueue queue;
    private final ConnectionPhase timeouts;
    private final RequestReader reader;
    private final PipelinedRequests ahead = new PipelinedRequests();
    private volatile @Nullable OpenResponse exchange;

    /** The exchange whose response another thread has written, until the event loop finishes it. */
    private volatile @Nullable OpenResponse written;

    /** Whether the client has sent more before its last request was finished. */
    private volatile boolean isAhead;

    ConnectionHandler(ListenerContext context, ClientSocket channel) {
        this.context = context;
        this.channel = channel;
        var environment = context.environment();
        var limits = context.limits();
        this.queue = new ResponseWriteQueue(
                channel,
                environment.timekeeper(),
                limits.maxQueuedBytes(),
                environment.limits().outbound());
        this.timeouts = new ConnectionPhase(limits, environment.timekeeper());
        this.reader = new RequestReader();
    }

    /** Called before the client's next bytes are handled. */
    void onBytes() {
        finishWritten();
        timeouts.onBytes();
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object object) {
        if (exchange == null && ahead.isEmpty()) {
            reader.read((HttpObject) object);
            return;
        }
        isAhead = true;
        ahead.add((HttpObject) object);
        if (ahead.isFull()) {
            channel.config().setAutoRead(false);
        }
        if (ahead.isOverLimit()) {
            channel.close();
        }
        // Its thread may not have seen that the client is ahead.
        finishWritten();
    }

    @Override
    public ResponseWriteQueue queue() {
        return queue;
    }

    @Override
    public @Nullable SocketAddress client() {
        return channel.remoteAddress();
    }

    @Override
    public void begun(OpenResponse answering) {
        exchange = answering;
    }

    @Override
    public ResponseOptions options() {
        return reader.options();
    }

    @Override
    public void finished(OpenResponse ended) {
        if (exchange == ended) {
            exchange = null;
            answered();
        }
    }

    /** Wakes the event loop only if the client has sent more or the connection closes. */
    @Override
    public void finishLater(OpenResponse ended) {
        boolean closes = reader.options().closes();
        written = ended;
        if (isAhead || closes) {
            channel.eventLoop().execute(this::finishWritten);
        }
    }

    private void finishWritten() {
        var ended = written;
        if (ended != null) {
            written = null;
            finished(ended);
        }
    }

    @Override
    public void answered() {
        boolean closes = reader.options().closes();
        reader.over();
        if (closes) {
            return;
        }
        while (exchange == null && !ahead.isEmpty()) {
            reader.read(ahead.remove());
        }
        isAhead = !ahead.isEmpty();
        if (!ahead.isFull() && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void abort() {
        channel.close();
    }

    @Override
    public void closeSlowReader() {
        var reason = "a response did not fit the queue with %d waiting bytes ('max-queued-bytes' is %d)";
        reportSlowReader(reason.formatted(queue.waitingBytes(), context.limits().maxQueuedBytes()));
        channel.close();
    }

    /** Finishes a request, closes the connection if a time-out has passed, and keeps a silent stream alive. */
    void check() {
        if (written != null) {
            channel.eventLoop().execute(this::finishWritten);
            return;
        }
        if (isTooSlow()) {
            channel.eventLoop().execute(this::tooSlow);
            return;
        }
        var current = exchange;
        if (current != null && queue.isIdle(context.limits().commentInterval())) {
            current.comment();
        }
    }

    private boolean isTooSlow() {
        return timeouts.isOverdue() || queue.isStalled(context.limits().writeDeadline());
    }

    /** Checks again on the event loop: a request may have arrived, or the client may have read. */
    private void tooSlow() {
        if (!isTooSlow()) {
            return;
        }
        if (reader.isReading() && timeouts.isOverdue()) {
            reader.reject(HttpRejection.fatal(408, "the request took too long to arrive"));
        } else {
            if (queue.isStalled(context.limits().writeDeadline())) {
                var reason = "it read none of %d waiting bytes for %d ms, which is 'write-deadline'";
                var limit = context.limits().writeDeadline().toMillis();
                reportSlowReader(reason.formatted(queue.waitingBytes(), limit));
            }
            channel.close();
        }
    }

    private void reportSlowReader(String reason) {
        context.rejections().slowReader(RejectionReporter.host(channel.remoteAddress()), reason);
        var words = "[mcp-bridge] the connection of %s is closed: %s".formatted(channel.remoteAddress(), reason);
        context.environment().logger().log(WARNING, words);
    }

    @Override
    public void channelInactive(ChannelHandlerContext unused) {
        ahead.release();
        finishWritten();
        var current = exchange;
        exchange = null;
        if (current != null) {
            current.abandon();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext unused, Throwable cause) {
        if (!(cause instanceof IOException)) {
            context.environment()
                    .logger()
                    .log(WARNING, "[mcp-bridge] a connection is closed after an unexpected failure", cause);
        }
        channel.close();
    }

    /**
     * Queues the parts of pipelined requests, which arrived before the last one was answered. Belongs to the event loop
     * of its connection.
     *
     * <p>The connection reads a little ahead, since only a read detects that the client has disconnected.
     */
    private static final class PipelinedRequests {
        private static final int MAX = 256;
        private static final int PAUSE_READING_AT = 64;
        private static final int PAUSE_READING_AT_BYTES = 16 << 10;

        private final Deque<HttpObject> parts = new ArrayDeque<>();
        private long bytes;

        void add(HttpObject part) {
            parts.add(part);
            bytes += size(part);
        }

        HttpObject remove() {
            var part = parts.remove();
            bytes -= size(part);
            return part;
        }

        boolean isEmpty() {
            return parts.isEmpty();
        }

        /** Whether the connection should pause reading. */
        boolean isFull() {
            return parts.size() >= PAUSE_READING_AT || bytes >= PAUSE_READING_AT_BYTES;
        }

        /** Whether the client exceeds the limit. */
        boolean isOverLimit() {
            return parts.size() > MAX;
        }

        void release() {
            parts.forEach(ReferenceCountUtil::release);
            parts.clear();
            bytes = 0;
        }

        private static int size(HttpObject part) {
            return part instanceof HttpContent content ? content.content().readableBytes() : 0;
        }
    }

    /**
     * Reads the requests of one connection: has the {@link RequestValidator} check each head, collects the body, and passes
     * both to the {@link RequestDispatcher}. The rest of a rejected request is discarded. Belongs to the event loop.
     */
    private final class RequestReader {
        private final RequestDispatcher dispatcher = new RequestDispatcher(context, ConnectionHandler.this);

        /** The last head, which the next one mostly repeats. */
        private @Nullable RequestHead last;

        private @Nullable RequestHead head;
        private @Nullable BoundedBody body;
        private ResponseOptions options = ResponseOptions.KEEP_ALIVE;
        private boolean hasHeadMethod;
        private boolean isDiscarding;

        /** The options of the response to the current request. */
        ResponseOptions options() {
            return options;
        }

        /** Whether a request is arriving that was not rejected. */
        boolean isReading() {
            return timeouts.isReading() && !isDiscarding;
        }

        /** Reads the next part of a request. */
        void read(HttpObject object) {
            try {
                if (object instanceof HttpRequest request && !timeouts.isClosing()) {
                    begin(request);
                }
                if (object instanceof HttpContent content && !timeouts.isClosing()) {
                    body(content);
                }
            } finally {
                ReferenceCountUtil.release(object);
            }
        }

        private void begin(HttpRequest request) {
            hasHeadMethod = request.method().equals(HttpMethod.HEAD);
            if (request.decoderResult().isFailure()) {
                reject(HttpRejection.unreadable(request.decoderResult().cause()));
                return;
            }
            var known = last;
            var begun =
                    known != null && known.isRepeatedBy(request) ? known : RequestHead.of(request, context.validator());
            last = begun;
            head = begun;
            options = begun.options();
            var refusal =
                    begun.validation().refusal().or(() -> context.validator().wrongLength(request));
            if (refusal.isPresent()) {
                reject(refusal.get());
                return;
            }
            timeouts.body();
            body = new BoundedBody(context.limits().maxBodyBytes(), HttpUtil.getContentLength(request, -1L));
            if (HttpUtil.is100ContinueExpected(request)) {
                queue.put(ResponseEncoder.continueResponse());
            }
        }

        private void body(HttpContent content) {
            if (content.decoderResult().isFailure()) {
                reject(HttpRejection.unreadable(content.decoderResult().cause()));
                return;
            }
            var collecting = body;
            if (!isDiscarding && collecting != null && !collecting.add(content.content())) {
                reject(RequestValidator.tooLarge(context.limits()));
                return;
            }
            if (content instanceof LastHttpContent) {
                endOfRequest();
            }
        }

        private void endOfRequest() {
            var admitted = head;
            var collected = body;
            if (isDiscarding || admitted == null || collected == null) {
                isDiscarding = false;
                awaitNextRequest();
                return;
            }
            head = null;
            body = null;
            timeouts.handling();
            dispatcher.received(admitted, collected.take());
        }

        /** Rejects the request that is being read; it does not reach the core. */
        void reject(HttpRejection refusal) {
            body = null;
            head = null;
            isDiscarding = true;
            var how = refusal.endsConnection() ? options.closing() : options;
            context.rejections().refused(RejectionReporter.host(channel.remoteAddress()), refusal.status());
            var response = hasHeadMethod
                    ? ResponseEncoder.headOnly(refusal.status(), refusal.headers(), how)
                    : ResponseEncoder.whole(refusal.status(), refusal.headers(), Optional.of(refusal.error()), how);
            queue.put(response, how.closes() ? this::linger : () -> {});
        }

        /** Called when the response was written: waits for the next request, unless the connection closes. */
        void over() {
            if (options.closes()) {
                linger();
            } else {
                awaitNextRequest();
            }
        }

        /**
         * Shuts down the output and lets the client read the response, before the rest of its request reaches a closed
         * port.
         */
        private void linger() {
            timeouts.closing();
            channel.shutdownOutput();
        }

        private void awaitNextRequest() {
            options = ResponseOptions.KEEP_ALIVE;
            timeouts.idle();
        }
    }
}
