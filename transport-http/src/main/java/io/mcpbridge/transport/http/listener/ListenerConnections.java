package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Bounds;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.stream.LineContext;
import io.mcpbridge.stream.LineSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The connections of one listener, and the objects that they share. Any thread may use it. */
final class ListenerConnections extends ChannelInitializer<SocketChannel> {
    private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration MIN_CHECK_INTERVAL = Duration.ofMillis(10);

    private final HttpListenerSettings settings;
    private final Environment environment;
    private final Acceptor acceptor;
    private final Intake intake;
    private final RejectionReporter rejections;
    private final SseListenerSessions sseSessions = new SseListenerSessions();
    private final RequestValidator validator;
    private final ReplayStore replay;
    private final Duration checkInterval;
    private final Set<ConnectionHandler> all = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition removed = lock.newCondition();
    private volatile boolean isClosed;

    ListenerConnections(HttpListenerSettings settings, Environment environment, Acceptor acceptor, Intake intake) {
        this.acceptor = acceptor;
        this.settings = settings;
        this.environment = environment;
        this.intake = intake;
        this.rejections = new RejectionReporter(acceptor, settings.host() + ":" + settings.port());
        this.validator = new RequestValidator(settings);
        this.replay =
                new ReplayStore(environment.timekeeper(), settings.limits().maxReplayBytes());
        this.checkInterval = checkInterval(settings.limits());
    }

    /** A quarter of the shortest time-out that it watches. */
    private static Duration checkInterval(HttpListenerLimits limits) {
        var shortest = Stream.of(
                        limits.headDeadline(),
                        limits.requestDeadline(),
                        limits.keepAlive(),
                        limits.writeDeadline(),
                        limits.commentInterval(),
                        MAX_CHECK_INTERVAL.multipliedBy(4))
                .min(Duration::compareTo)
                .orElseThrow()
                .dividedBy(4);
        return shortest.compareTo(MIN_CHECK_INTERVAL) < 0 ? MIN_CHECK_INTERVAL : shortest;
    }

    /** Starts to check the time-outs of all connections. */
    void watch() {
        environment.timekeeper().schedule(checkInterval, this::check);
    }

    private void check() {
        if (isClosed) {
            return;
        }
        all.forEach(ConnectionHandler::check);
        replay.sweep();
        watch();
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        var handler = new ConnectionHandler(this, channel);
        all.add(handler);
        if (all.size() > settings.limits().connections()) {
            remove(handler);
            rejections.flood(RejectionReporter.host(channel), settings.limits().connections());
            var busy = ResponseEncoder.whole(503, Metadata.EMPTY, Optional.empty(), ResponseOptions.CLOSING);
            channel.writeAndFlush(busy.encoder().encode(channel.alloc())).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        channel.pipeline()
                .addLast(new StrictRequestDecoder(settings.limits(), handler.timeouts()::onBytes))
                .addLast(handler);
        if (isClosed) {
            handler.abort();
        }
    }

    void remove(ConnectionHandler handler) {
        all.remove(handler);
        lock.lock();
        try {
            removed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        isClosed = true;
        all.forEach(ConnectionHandler::abort);
    }

    /** Waits until all connections have ended, or for so long. */
    void awaitEmpty(long nanos) {
        long left = nanos;
        lock.lock();
        try {
            while (!all.isEmpty() && left > 0) {
                left = removed.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Reports a connection that ends because its client reads nothing. */
    void reportStall(SocketChannel client, long waitingBytes) {
        var limit = settings.limits().writeDeadline().toMillis();
        var reason = "it read none of %d waiting bytes for %d ms, which is 'write-deadline'";
        reportSlowReader(client, reason.formatted(waitingBytes, limit));
    }

    /** Reports a connection that ends because a response exceeds its queue. */
    void reportOverflow(SocketChannel client, long waitingBytes) {
        var reason = "a response did not fit the queue with %d waiting bytes ('max-queued-bytes' is %d)";
        reportSlowReader(
                client, reason.formatted(waitingBytes, settings.limits().maxQueuedBytes()));
    }

    private void reportSlowReader(SocketChannel client, String reason) {
        rejections.slowReader(RejectionReporter.host(client), reason);
        var words = "[mcp-bridge] the connection of %s is closed: %s".formatted(client.remoteAddress(), reason);
        logger().log(System.Logger.Level.WARNING, words);
    }

    RequestValidator validator() {
        return validator;
    }

    HttpListenerLimits limits() {
        return settings.limits();
    }

    Intake intake() {
        return intake;
    }

    RejectionReporter rejections() {
        return rejections;
    }

    ReplayStore replay() {
        return replay;
    }

    Acceptor acceptor() {
        return acceptor;
    }

    SseListenerSessions sseSessions() {
        return sseSessions;
    }

    /** The limits of a message. */
    Limits messageLimits() {
        return environment.bounds().fromClients().withMaxBytes(settings.limits().maxBodyBytes());
    }

    /** The settings of HTTP+SSE sessions. */
    LineContext lineContext() {
        var line = LineSettings.of(environment.bounds())
                .withLimits(messageLimits())
                .withMaxQueuedBytes(settings.limits().maxQueuedBytes());
        return new LineContext(line, environment);
    }

    Bounds bounds() {
        return environment.bounds();
    }

    Timekeeper timekeeper() {
        return environment.timekeeper();
    }

    System.Logger logger() {
        return environment.logger();
    }

    /** The open HTTP+SSE sessions by their secret ids. Any thread may use it. */
    static final class SseListenerSessions {
        private static final Pattern QUERY = Pattern.compile("(?:[^?]*\\?)(?:.*&)?sessionId=([0-9a-f]{32})(?:&.*)?");

        private final SecureRandom random = new SecureRandom();
        private final Map<String, SseListenerSession> open = new ConcurrentHashMap<>();

        /** Adds a session and returns its id, a secret that posts must contain. */
        String add(SseListenerSession stream) {
            var bytes = new byte[16];
            random.nextBytes(bytes);
            var secret = HexFormat.of().formatHex(bytes);
            open.put(secret, stream);
            return secret;
        }

        void remove(SseListenerSession stream) {
            open.values().remove(stream);
        }

        /** Finds the session that a request names, if it belongs to this principal. */
        Optional<SseListenerSession> find(String target, Principal principal) {
            var query = QUERY.matcher(target);
            return query.matches()
                    ? Optional.ofNullable(open.get(query.group(1)))
                            .filter(stream -> stream.principal().equals(principal))
                    : Optional.empty();
        }
    }

    /** Decodes requests and rejects those that two parsers could understand differently (request smuggling). */
    private static final class StrictRequestDecoder extends HttpRequestDecoder {
        private static final int MAX_LINE_BYTES = 4 << 10;
        private static final int CHUNK_BYTES = 64 << 10;

        private final Runnable onBytes;
        private boolean isInHead = true;
        private boolean isAfterLine;
        private boolean isFolded;

        StrictRequestDecoder(HttpListenerLimits limits, Runnable onBytes) {
            super(new HttpDecoderConfig()
                    .setMaxInitialLineLength(MAX_LINE_BYTES)
                    .setMaxHeaderSize(limits.maxHeadBytes())
                    .setMaxChunkSize(CHUNK_BYTES)
                    .setStrictLineParsing(true));
            this.onBytes = onBytes;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
            onBytes.run();
            super.channelRead(context, bytes);
        }

        /** Rejects folded headers: Netty joins them to one line, but other parsers do not. */
        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            int from = in.readerIndex();
            int before = out.size();
            super.decode(context, in, out);
            if (isInHead) {
                isFolded |= hasFold(in, from, in.readerIndex());
            }
            for (var made : out.subList(before, out.size())) {
                made(made);
            }
        }

        private boolean hasFold(ByteBuf in, int from, int to) {
            for (int at = from; at < to; at++) {
                if (isAfterLine && (in.getByte(at) == ' ' || in.getByte(at) == '\t')) {
                    return true;
                }
                int end = in.indexOf(at, to, (byte) '\n');
                isAfterLine = end >= 0;
                at = end < 0 ? to : end;
            }
            return false;
        }

        private void made(Object object) {
            if (object instanceof HttpMessage head
                    && isFolded
                    && head.decoderResult().isSuccess()) {
                head.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("a folded header")));
            }
            isInHead = object instanceof LastHttpContent;
            isAfterLine = false;
            isFolded = false;
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
        }
    }
}
