package io.mcpbridge.server;

import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A client of a served tool, which writes its own messages. For one thread. */
final class ServedClient {
    private static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":%s%s},";

    private final RawClient wire;
    private final String meta;
    private final AtomicInteger lastId = new AtomicInteger();

    private ServedClient(RawClient wire, String meta) {
        this.wire = wire;
        this.meta = meta;
    }

    static ServedClient legacy(RawClient wire) throws IOException {
        return legacy(wire, "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}");
    }

    static ServedClient legacy(RawClient wire, String capabilities) throws IOException {
        var client = new ServedClient(wire, "");
        client.ask(
                "initialize",
                "\"protocolVersion\":\"2025-11-25\",\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"},\"capabilities\":"
                        + capabilities);
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return client;
    }

    static ServedClient modern(RawClient wire) {
        return modern(wire, "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}", "");
    }

    /** One that writes more into each {@code _meta}; it begins with a comma. */
    static ServedClient modern(RawClient wire, String capabilities, String more) {
        return new ServedClient(wire, META.formatted(capabilities, more));
    }

    void send(String json) throws IOException {
        wire.send(json);
    }

    String receive() throws IOException {
        return wire.receive();
    }

    void leave() {
        wire.close();
    }

    void awaitEnd() throws IOException {
        wire.awaitEnd();
    }

    /** Sends a request and returns its id. */
    int begin(String method, String params) throws IOException {
        var id = lastId.incrementAndGet();
        var members = meta + params;
        var body = members.endsWith(",") ? members.substring(0, members.length() - 1) : members;
        send("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s}}".formatted(id, method, body));
        return id;
    }

    /** Sends a request and waits for the next message, which must be its answer. */
    String ask(String method, String params) throws IOException {
        var id = begin(method, params);
        var answer = receive();
        if (!answer.contains("\"id\":" + id + ",") && !answer.contains("\"id\":" + id + "}")) {
            throw new AssertionError("expected the answer to %d but received %s".formatted(id, answer));
        }
        return answer;
    }

    int beginCall(String tool, String arguments) throws IOException {
        return begin("tools/call", "\"name\":\"%s\",\"arguments\":%s".formatted(tool, arguments));
    }

    String call(String tool, String arguments) throws IOException {
        return ask("tools/call", "\"name\":\"%s\",\"arguments\":%s".formatted(tool, arguments));
    }

    /** Calls and returns the envelope, as JSON. */
    String envelope(String tool, String arguments) throws IOException {
        return envelope(call(tool, arguments));
    }

    /** The envelope in an answer, which has to say the same twice. */
    static String envelope(String answer) {
        var result = member(Json.parse(answer).asMap(), "result");
        var structured = Json.of(member(result, "structuredContent")).text();
        if (!answer.contains(io.mcpbridge.message.JsonStrings.quote(structured))) {
            throw new AssertionError("the text is not the envelope: " + answer);
        }
        return structured;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> member(Map<String, @Nullable Object> members, String name) {
        if (members.get(name) instanceof Map<?, ?> found) {
            return (Map<String, @Nullable Object>) found;
        }
        throw new AssertionError("there is no '%s' in %s".formatted(name, members));
    }
}
