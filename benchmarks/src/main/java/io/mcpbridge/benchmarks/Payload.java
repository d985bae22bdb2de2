package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.ThreadLocalRandom;

/** The handshake of the benchmarks, the text of their calls, and how they are written. */
final class Payload {
    static final String TEXT = "round and round ".repeat(13);

    static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}}\n";
    static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

    /** Ten digits. */
    private static final int LEAST = 1_000_000_000;

    private Payload() {}

    /** A text that tells the answer of a call from all others. */
    static String numbered() {
        return ThreadLocalRandom.current().nextInt(LEAST, Integer.MAX_VALUE) + " " + TEXT;
    }

    /** Writes the whole text. */
    static void write(WritableByteChannel channel, String text) throws IOException {
        write(channel, ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    /** Writes all bytes. */
    static void write(WritableByteChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Writes all bytes of both. */
    static void write(GatheringByteChannel channel, ByteBuffer head, ByteBuffer tail) throws IOException {
        var both = new ByteBuffer[] {head, tail};
        while (head.hasRemaining() || tail.hasRemaining()) {
            channel.write(both);
        }
    }
}
