package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadableAnswerIdTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{\"code\":1}}",
                "{\"jsonrpc\":\"2.0\",\"id\":7}",
                "{\"jsonrpc\":\"1.0\",\"id\":7,\"result\":{}}",
                "{\"result\":{},\"id\":7,,}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"tools\":[{}}}",
                "\ufeff{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}"
            })
    void likelyAnswerHasAReadableId(String frame) {
        assertThat(readable(frame)).contains(MessageId.of(7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Listening on port 7",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"id\":8,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{}}"
            })
    void unclearFrameHasNoReadableId(String frame) {
        assertThat(readable(frame)).isEmpty();
    }

    private static Optional<MessageId> readable(String frame) {
        return Message.readableAnswerId(frame.getBytes(UTF_8), Limits.SERVER);
    }
}
