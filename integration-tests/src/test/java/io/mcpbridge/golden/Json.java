package io.mcpbridge.golden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads what peers received; what they send is written by hand. */
final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException broken) {
            throw new AssertionError("the bridge sent what is no JSON: " + text, broken);
        }
    }

    static String request(String id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\"%s}"
                .formatted(id, method, params.isEmpty() ? "" : ",\"params\":" + params);
    }

    static String notification(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"%s}"
                .formatted(method, params.isEmpty() ? "" : ",\"params\":" + params);
    }

    static String result(String id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(id, result);
    }

    /** @param error the members of the error */
    static String error(String id, String error) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{%s}}".formatted(id, error);
    }
}
