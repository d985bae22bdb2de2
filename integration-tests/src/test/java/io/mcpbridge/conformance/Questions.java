package io.mcpbridge.conformance;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** The requests of {@link LegacyFixture} to its clients. */
final class Questions {
    /** Suggests to a bridge the name of the question where it becomes one of {@code inputRequests}. */
    private static final String KEY = "io.mcpbridge/inputKey";

    private Questions() {}

    /** Asks for one text. */
    static ElicitResult form(McpSyncServerExchange client, String key, String message, String field) {
        return schema(
                client,
                key,
                message,
                "{\"type\": \"object\", \"properties\": {\"%s\": {\"type\": \"string\"}}, \"required\": [\"%s\"]}"
                        .formatted(field, field));
    }

    /** Asks for what a schema describes. */
    static ElicitResult schema(McpSyncServerExchange client, String key, String message, String schema) {
        return client.createElicitation(ElicitFormRequest.builder(message, parsed(schema))
                .meta(Map.of(KEY, key))
                .build());
    }

    private static Map<String, Object> parsed(String json) {
        try {
            return McpJsonDefaults.getMapper().readValue(json, new TypeRef<>() {});
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /** Has the client's model say something. */
    static CreateMessageResult sample(McpSyncServerExchange client, String prompt) {
        var message = SamplingMessage.builder(Role.USER, Samples.text(prompt)).build();
        return client.createMessage(
                CreateMessageRequest.builder(List.of(message), 100).build());
    }
}
