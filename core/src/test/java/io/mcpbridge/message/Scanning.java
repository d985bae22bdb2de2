package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;

/** Scans texts, and expects refusals. */
final class Scanning {

    private Scanning() {}

    static Message scan(String json) {
        return Message.scan(json.getBytes(UTF_8), Limits.CLIENT);
    }

    /** A request whose params are given. */
    static String request(String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":" + params + "}";
    }

    /** A request with members in its arguments that are given. */
    static String withArguments(String members) {
        return request("{\"name\":\"echo\",\"arguments\":{" + members + "}}");
    }

    static ProtocolException refusal(String json) {
        return refusal(json.getBytes(UTF_8), Limits.CLIENT);
    }

    static ProtocolException refusal(byte[] json, Limits limits) {
        var refusal = catchThrowableOfType(ProtocolException.class, () -> Message.scan(json, limits));
        assertThat(refusal).as("refusal of %s", new String(json, UTF_8)).isNotNull();
        return refusal;
    }

    static void assertNotJson(String json) {
        assertThat(refusal(json).code()).as(json).isEqualTo(ErrorCode.PARSE_ERROR);
    }

    static void assertNotRequest(String json, String word) {
        assertThat(refusal(json)).hasMessageContaining(word);
        assertThat(refusal(json).code()).as(json).isEqualTo(ErrorCode.INVALID_REQUEST);
    }
}
