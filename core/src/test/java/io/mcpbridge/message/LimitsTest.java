package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ErrorCode;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LimitsTest {

    private static final String HEAD = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":";
    private static final int TOKENS_OF_HEAD = 8;

    static Stream<Arguments> limits() {
        return Stream.of(
                limit("client-frame", Limits.CLIENT, 4 << 20, LimitsTest::bytes),
                limit("server-frame", Limits.SERVER, 16 << 20, LimitsTest::bytes),
                limit("maxDepth", Limits.CLIENT, 100, LimitsTest::depth),
                limit("maxTokens", Limits.CLIENT, 200_000, LimitsTest::tokens),
                limit("maxTokens", Limits.SERVER, 4_000_000, LimitsTest::tokens),
                limit("maxKeyBytes", Limits.CLIENT, 1024, n -> HEAD + "{\"" + "k".repeat(n) + "\":1}}"),
                limit("maxKeyBytes", Limits.CLIENT, 1024, n -> HEAD + "{\"a\":{\"" + "k".repeat(n) + "\":1}}}"),
                limit(
                        "maxIdLength",
                        Limits.CLIENT,
                        128,
                        n -> "{\"jsonrpc\":\"2.0\",\"id\":\"" + "i".repeat(n) + "\",\"method\":\"x\"}"),
                limit(
                        "maxIdLength",
                        Limits.CLIENT,
                        128,
                        n -> "{\"jsonrpc\":\"2.0\",\"id\":" + "1".repeat(n) + ",\"method\":\"x\"}"),
                limit(
                        "maxMethodLength",
                        Limits.CLIENT,
                        128,
                        n -> "{\"jsonrpc\":\"2.0\",\"method\":\"" + "m".repeat(n) + "\"}"),
                limit("maxOtherKeys", Limits.CLIENT, 10_000, LimitsTest::keys),
                limit("maxNameLength", Limits.CLIENT, 256, n -> HEAD + "{\"name\":\"" + "n".repeat(n) + "\"}}"));
    }

    @ParameterizedTest(name = "{0} of {2}")
    @MethodSource("limits")
    void limitItselfIsAcceptedAndOneMoreIsRejected(
            String name, Limits limits, int value, IntFunction<String> messages) {
        var message = Message.scan(messages.apply(value).getBytes(UTF_8), limits);
        var refusal = refusal(messages.apply(value + 1).getBytes(UTF_8), limits);

        assertThat(message.length()).isPositive();
        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(refusal).hasMessageContaining("the limit " + name + " is " + value);
    }

    @Test
    void tooManyBytesAreReportedAsTooLarge() {
        assertThat(refusal(bytes(11).getBytes(UTF_8), Limits.CLIENT.withMaxBytes(10)))
                .hasMessageStartingWith("too_large");
    }

    @Test
    void errorsAreShort() {
        var refusal = refusal(
                ("{\"jsonrpc\":\"2.0\",\"id\":\"" + "i".repeat(100_000) + "\",\"method\":\"x\"}").getBytes(UTF_8),
                Limits.CLIENT);

        assertThat(refusal.getMessage()).hasSizeLessThan(200);
    }

    @Test
    void limitMustBeAtLeastOne() {
        assertThatThrownBy(() -> Limits.CLIENT.withMaxBytes(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'maxBytes' is 0 but must be at least 1");
    }

    private static Arguments limit(String name, Limits limits, int value, IntFunction<String> messages) {
        return Arguments.of(name, limits, value, Named.of("message", messages));
    }

    private static String bytes(int count) {
        int filling = count - HEAD.length() - "[\"\"]}".length();
        return HEAD + "[\"" + "b".repeat(Math.max(filling, 0)) + "\"]}";
    }

    private static String depth(int count) {
        return HEAD + "[".repeat(count - 1) + "]".repeat(count - 1) + "}";
    }

    private static String keys(int count) {
        var members = IntStream.range(0, count).mapToObj(key -> "\"k" + key + "\":0");
        return HEAD + members.collect(Collectors.joining(",", "{\"name\":\"n\",", "}}"));
    }

    /** The array of the params counts one. */
    private static String tokens(int count) {
        return HEAD + "[" + "0,".repeat(count - TOKENS_OF_HEAD - 2) + "0]}";
    }
}
