package io.mcpbridge.sdk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransportException;
import java.io.IOException;
import java.util.List;

/** Converts messages between the bridge and the SDK, by the JSON mapper of the SDK. Any thread may use it. */
final class JsonRpcCodec {
    /** The revisions of the legacy era, the newest last; the default of SDK 1.1 has only the oldest. */
    static final List<String> LEGACY_REVISIONS = ProtocolVersion.KNOWN.stream()
            .filter(version -> version.era() == Era.LEGACY)
            .map(ProtocolVersion::text)
            .sorted()
            .toList();

    private final McpJsonMapper mapper = McpJsonDefaults.getMapper();

    /**
     * Reads a message for the SDK. A response that the mapper cannot read becomes an error, so that its caller does not
     * wait for it.
     *
     * @throws McpTransportException if the mapper cannot read another message
     */
    JSONRPCMessage read(Message message) {
        try {
            return McpSchema.deserializeJsonRpcMessage(mapper, message.json());
        } catch (IOException | RuntimeException unreadable) {
            var why = "The SDK cannot read a message of %d bytes: %s"
                    .formatted(message.length(), unreadable.getMessage());
            if (message instanceof Response response && response.id().isPresent()) {
                return failure(id(response.id().get()), why);
            }
            throw new McpTransportException(why, unreadable);
        }
    }

    private Object id(MessageId id) {
        try {
            return mapper.readValue(id.raw(), Object.class);
        } catch (IOException impossible) {
            throw new McpTransportException("The SDK cannot read the id " + id, impossible);
        }
    }

    private static JSONRPCResponse failure(Object id, String why) {
        // Bridges and clients repeat a call after -32603, but this one would fail again.
        var error = new JSONRPCError(ErrorCode.UPSTREAM_INVALID.jsonRpcCode(), why, null);
        return new JSONRPCResponse(McpSchema.JSONRPC_VERSION, id, null, error);
    }

    /**
     * Writes a message of the SDK. A response that cannot be sent, such as one that is too large, becomes an error, so
     * that its caller does not wait for it.
     *
     * @throws McpTransportException if another message cannot be sent
     */
    Message write(JSONRPCMessage message) {
        try {
            return scan(message);
        } catch (McpTransportException unsendable) {
            if (message instanceof JSONRPCResponse response) {
                return scan(failure(response.id(), String.valueOf(unsendable.getMessage())));
            }
            throw unsendable;
        }
    }

    private Message scan(JSONRPCMessage message) {
        var json = new byte[0];
        try {
            json = mapper.writeValueAsString(message).getBytes(UTF_8);
            return Message.scan(json, Limits.SERVER);
        } catch (IOException | RuntimeException unsendable) {
            var why = "The SDK wrote %d bytes of a message that cannot be sent: %s"
                    .formatted(json.length, unsendable.getMessage());
            throw new McpTransportException(why, unsendable);
        }
    }

    <T> T convert(Object data, TypeRef<T> type) {
        return mapper.convertValue(data, type);
    }
}
