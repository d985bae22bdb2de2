package io.mcpbridge.transport.http.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/** Reads requests and refuses every one that two readers could read in two ways. */
final class StrictRequestDecoder extends HttpRequestDecoder {
    private static final int MOST_LINE_BYTES = 4 << 10;
    private static final int CHUNK_BYTES = 64 << 10;

    private final Runnable bytesCame;
    private boolean isInHead = true;
    private boolean isAfterLine;
    private boolean isFolded;

    StrictRequestDecoder(HttpListenerLimits limits, Runnable bytesCame) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(MOST_LINE_BYTES)
                .setMaxHeaderSize(limits.maxHeadBytes())
                .setMaxChunkSize(CHUNK_BYTES)
                .setStrictLineParsing(true));
        this.bytesCame = bytesCame;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        bytesCame.run();
        super.channelRead(context, bytes);
    }

    /** Netty joins a folded header to one line; others would not, so the request says two things. */
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
