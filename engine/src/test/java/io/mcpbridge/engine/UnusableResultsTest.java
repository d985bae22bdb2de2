package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A result is an object in every revision; anything else cannot be dressed for anybody. */
class UnusableResultsTest {
    private final OneServer bench = OneServer.reconnecting();

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "\"done\"", "[{}]", "true"})
    void nonObjectResultOfALegacyServerIsAProtocolError(String result) {
        assertIsServerError(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "\"done\"", "[{}]", "true"})
    void nonObjectResultOfAModernServerIsAProtocolError(String result) {
        bench.server.modern();

        assertIsServerError(result);
    }

    private void assertIsServerError(String result) {
        var reply = bench.send();

        bench.connection().answer(bench.connection().last(), result);

        var failure = reply.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        assertThat(failure.delivery()).isEqualTo(Delivery.ANSWERED);
        assertThat(failure.message())
                .contains("'tools'", "'tools/call'", "the result " + result + ", which must be an object");
        assertThat(bench.connection().isClosed()).isFalse();
    }
}
