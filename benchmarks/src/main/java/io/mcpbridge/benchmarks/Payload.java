package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** The messages of the benchmarks: a handshake, and a call of about 300 bytes. */
final class Payload {
    static final String TEXT = "round and round ".repeat(13);

    static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}}\n";
    static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}\n";

    private Payload() {}

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

    static String call(String tool, String text) {
        return "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":%s,\"arguments\":{\"text\":%s}}}\n"
                .formatted(JsonStrings.quote(tool), JsonStrings.quote(text));
    }
}
