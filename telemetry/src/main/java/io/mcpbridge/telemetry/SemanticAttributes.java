package io.mcpbridge.telemetry;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.opentelemetry.api.common.AttributeKey;
import java.util.List;

/** The attribute keys of the semantic conventions in use, and our own in {@code mcpbridge.*}. */
final class SemanticAttributes {
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("mcp.method.name");
    static final AttributeKey<String> PROTOCOL_VERSION = AttributeKey.stringKey("mcp.protocol.version");
    static final AttributeKey<String> RESOURCE_URI = AttributeKey.stringKey("mcp.resource.uri");
    static final AttributeKey<String> SESSION = AttributeKey.stringKey("mcp.session.id");
    static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    static final AttributeKey<String> PROMPT = AttributeKey.stringKey("gen_ai.prompt.name");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    static final AttributeKey<String> REQUEST_ID = AttributeKey.stringKey("jsonrpc.request.id");
    static final AttributeKey<String> STATUS_CODE = AttributeKey.stringKey("rpc.response.status_code");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> TRANSPORT = AttributeKey.stringKey("network.transport");
    static final AttributeKey<String> NETWORK_PROTOCOL = AttributeKey.stringKey("network.protocol.name");
    static final AttributeKey<String> NETWORK_VERSION = AttributeKey.stringKey("network.protocol.version");
    static final AttributeKey<String> CLIENT_ADDRESS = AttributeKey.stringKey("client.address");
    static final AttributeKey<Long> CLIENT_PORT = AttributeKey.longKey("client.port");
    static final AttributeKey<String> SERVER_ADDRESS = AttributeKey.stringKey("server.address");
    static final AttributeKey<Long> SERVER_PORT = AttributeKey.longKey("server.port");

    /** The configured name of a server. */
    static final AttributeKey<String> SERVER = AttributeKey.stringKey("mcpbridge.server");

    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("mcpbridge.attempt");
    static final AttributeKey<String> CORRELATION_ID = AttributeKey.stringKey("mcpbridge.correlation.id");
    static final AttributeKey<String> DELIVERY = AttributeKey.stringKey("mcpbridge.delivery");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("mcpbridge.outcome");
    static final AttributeKey<String> READING = AttributeKey.stringKey("mcpbridge.reading");

    static final String EXECUTE_TOOL = "execute_tool";

    /** Replaces names whose number has no bound. */
    static final String OTHER = "_OTHER";

    static final List<Double> DURATION_BUCKETS =
            List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0);

    private SemanticAttributes() {}

    /** The value of {@link #REQUEST_ID}: the id as text, a string without its quotes. */
    static String requestId(MessageId id) {
        var raw = id.raw();
        return raw.startsWith("\"") ? JsonStrings.decode(raw) : raw;
    }
}
