package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadableIdTest {

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{\"id\":7,\"method\":\"x\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"Method\":\"x\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"method\":\"y\",\"\\u0069d\":7}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":null}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\"} {}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":{\"a\":NaN}}",
            })
    void idIsFoundInARequest(String json) {
        refusal(json);

        assertThat(Message.readableId(json.getBytes(UTF_8), Limits.CLIENT)).contains(MessageId.of(7));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                "[]",
                "[{\"id\":7}]",
                "hello",
                "{\"id\":7",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":1}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":null}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":7.5}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":7,\"id\":8}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":7,\"\\u0069d\":8}",
                "{\"id\":7,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"result\":{}}",
            })
    void idIsNotFoundIfAmbiguous(String json) {
        refusal(json);

        assertThat(Message.readableId(json.getBytes(UTF_8), Limits.CLIENT)).isEmpty();
    }

    @Test
    void idIsFoundBeforeALimitIsReached() {
        String json = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":" + "[".repeat(1000);

        assertThat(Message.readableId(json.getBytes(UTF_8), Limits.CLIENT)).contains(MessageId.of(7));
    }
}
