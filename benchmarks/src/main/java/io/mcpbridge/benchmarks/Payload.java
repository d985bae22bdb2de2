package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;

/** The messages of the benchmarks: a handshake, and a call of about 300 bytes. */
final class Payload {
    static final String TEXT = "round and round ".repeat(13);

    static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}}\n";
    static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}\n";

    private Payload() {}

    static String call(String tool, String text) {
        return "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":%s,\"arguments\":{\"text\":%s}}}\n"
                .formatted(JsonStrings.quote(tool), JsonStrings.quote(text));
    }
}
