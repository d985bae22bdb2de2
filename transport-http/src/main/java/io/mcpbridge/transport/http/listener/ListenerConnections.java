package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.MessageHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The connections of one listener. Any thread may use it. */
final class ListenerConnections extends ChannelInitializer<ClientSocket> {
    private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration MIN_CHECK_INTERVAL = Duration.ofMillis(10);

    private final ListenerContext context;
    private final Duration checkInterval;
    /** Forgets a connection when it has ended, and closes one that is added after {@link #close}. */
    private final ChannelGroup all = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    private volatile boolean isClosed;

    ListenerConnections(ListenerContext context) {
        this.context = context;
        this.checkInterval = checkInterval(context.limits());
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
        context.environment().timekeeper().schedule(checkInterval, this::check);
    }

    private void check() {
        if (isClosed) {
            return;
        }
        all.forEach(channel -> channel.pipeline().get(ConnectionHandler.class).check());
        context.replay().sweep();
        watch();
    }

    @Override
    protected void initChannel(ClientSocket channel) {
        int most = context.limits().connections();
        if (all.size() >= most) {
            context.rejections().flood(RejectionReporter.host(channel.remoteAddress()), most);
            var busy = ResponseEncoder.whole(503, MessageHeaders.EMPTY, Optional.empty(), ResponseOptions.CLOSING);
            channel.writeAndFlush(busy.encoder().encode(channel.alloc())).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        var handler = new ConnectionHandler(context, channel);
        channel.pipeline()
                .addLast(new StrictRequestDecoder(context.limits(), handler::onBytes))
                .addLast(handler);
        all.add(channel);
    }

    /** Closes all connections; the result ends when they have ended. */
    ChannelGroupFuture close() {
        isClosed = true;
        return all.close();
    }

    /** Decodes requests and rejects those that two parsers could understand differently (request smuggling). */
    private static final class StrictRequestDecoder extends HttpRequestDecoder {
        private static final int MAX_LINE_BYTES = 4 << 10;
        private static final int CHUNK_BYTES = 64 << 10;

        private final Runnable onBytes;
        private boolean isInHead = true;
        private boolean isAfterLine = true;
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

        /**
         * Rejects folded headers and a blank or tab before the request line: Netty joins or skips them, but other parsers
         * do not.
         */
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
            isAfterLine = isInHead;
            isFolded = false;
        }

        @Override
        protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
            requireBlank(line, start + length);
            return super.splitFirstWordInitialLine(line, start, length);
        }

        @Override
        protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
            requireBlank(line, start + length);
            return super.splitSecondWordInitialLine(line, start, length);
        }

        /** Netty accepts tabs and several blanks between the words of the request line; other parsers do not. */
        private static void requireBlank(byte[] line, int at) {
            if (at + 1 >= line.length || line[at] != ' ' || line[at + 1] <= ' ') {
                throw new IllegalArgumentException("not one blank between the words of the request line");
            }
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
        }
    }
}
