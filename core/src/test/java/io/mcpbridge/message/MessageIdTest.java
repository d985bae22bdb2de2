package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdTest {

    @Test
    void numberAndStringDiffer() {
        assertThat(MessageId.of(1)).isNotEqualTo(MessageId.of("1"));
        assertThat(MessageId.of(1)).isEqualTo(MessageId.of(1)).hasSameHashCodeAs(MessageId.of(1));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"\"a\\/b\u00e9\"", "\"\\u0061/b\\u00e9\"", "\"a/\\u0062\\u00E9\""})
    void notationOfAnIdDoesNotMatter(String token) {
        var id = id(token);

        assertThat(id).isEqualTo(MessageId.of("a/b\u00e9")).hasSameHashCodeAs(MessageId.of("a/b\u00e9"));
        assertThat(id.raw()).isEqualTo(token);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(longs = {0, 1, -1, 42, 999_999_999_999_999_999L, -999_999_999_999_999_999L})
    void numbersAreReadBack(long number) {
        assertThat(MessageId.of(number).asLong()).hasValue(number);
        assertThat(MessageId.of(number).raw()).isEqualTo(Long.toString(number));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"1000000000000000000", "123456789012345678901234567890", "\"1\"", "\"\""})
    void otherIdsAreNotReadAsNumbers(String token) {
        assertThat(id(token).asLong()).isEmpty();
    }

    private static MessageId id(String token) {
        return ((Request) Scanning.scan("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":" + token + "}")).id();
    }
}
