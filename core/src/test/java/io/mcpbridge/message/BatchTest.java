package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}";

    @Test
    void arrayIsSplitIntoItsMessages() {
        var json = " [\r\n" + PING.formatted(1) + " ,\n{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":[[1],{}]}] ";

        var messages = scan(json);

        assertThat(messages).hasSize(2);
        assertThat(messages.get(0).json()).isEqualTo(PING.formatted(1));
        assertThat(messages.get(1)).isInstanceOf(Notification.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Message.MAX_BATCH})
    void batchUpToTheLimitIsAccepted(int count) {
        assertThat(scan(pings(count))).hasSize(count);
    }

    @ParameterizedTest
    @ValueSource(ints = {Message.MAX_BATCH + 1, 100_000})
    void batchBeyondTheLimitIsRejected(int count) {
        var json = "[" + "1,".repeat(count - 1) + "1]";

        assertThatThrownBy(() -> scan(json))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("100");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|at least one",
                "[1]|object",
                "[[]]|array",
                "[{}]|jsonrpc",
                "[" + "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}|end",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},]|value",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]x|the end",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"} {}]|']'",
            })
    void invalidBatchIsRejected(String json, String why) {
        assertThatThrownBy(() -> scan(json))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(why);
    }

    @Test
    void modernMessageIsRejected() {
        var modern = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":"
                + "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}]";

        assertThatThrownBy(() -> scan(modern)).hasMessageContaining("modern era");
    }

    @Test
    void batchBeyondTheMessageSizeIsRejected() {
        var json = pings(3).getBytes(UTF_8);

        assertThatThrownBy(() -> Message.scanBatch(json, Limits.CLIENT.withMaxBytes(json.length - 1)))
                .hasMessageContaining("too_large");
    }

    @ParameterizedTest
    @CsvSource({"'[', true", "' \r\n\t[1]', true", "'{}', false", "'', false", "' ', false"})
    void batchIsDetectedByItsFirstByte(String json, boolean isBatch) {
        assertThat(Message.isBatch(json.getBytes(UTF_8))).isEqualTo(isBatch);
    }

    private static List<Message> scan(String json) {
        return Message.scanBatch(json.getBytes(UTF_8), Limits.CLIENT);
    }

    private static String pings(int count) {
        return IntStream.range(0, count).mapToObj(PING::formatted).collect(Collectors.joining(",", "[", "]"));
    }
}
