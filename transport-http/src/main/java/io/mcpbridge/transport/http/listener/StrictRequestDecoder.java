package io.mcpbridge.transport.http.listener;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;

/** Reads requests and refuses every one that two readers could read in two ways. */
final class StrictRequestDecoder extends HttpRequestDecoder {
    private static final int MOST_LINE_BYTES = 4 << 10;
    private static final int CHUNK_BYTES = 64 << 10;

    private final Runnable bytesCame;

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

    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
    }
}
