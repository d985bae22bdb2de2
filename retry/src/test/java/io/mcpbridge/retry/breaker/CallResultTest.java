package io.mcpbridge.retry.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.retry.FailedAttempts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which outcomes count as failures of the server. */
@Timeout(60)
class CallResultTest {
    private final BreakerBench bench = new BreakerBench();

    @Test
    void internalErrorsCount() {
        for (int i = 0; i < 5; i++) {
            bench.sendRefused(-32603);
        }

        assertThat(bench.passes()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {-32700, -32600, -32601, -32602, -32000, -32001})
    void otherErrorsOfTheServerAreSuccesses(int code) {
        bench.fail(4);
        bench.sendRefused(code);
        bench.fail(4);

        assertThat(bench.state().value()).isZero();
    }

    @ParameterizedTest(name = "status {0} counts: {1}")
    @CsvSource({"500, true", "502, true", "503, true", "429, false", "404, false", "401, false"})
    void onlyServerErrorStatusesCount(int status, boolean counts) {
        for (int i = 0; i < 5; i++) {
            bench.sendFailing(FailedAttempts.status(status, Delivery.UNKNOWN));
        }

        assertThat(bench.passes()).isEqualTo(!counts);
    }

    @ParameterizedTest(name = "{0} counts: {1}")
    @CsvSource({
        "PROVIDER_TIMEOUT, true",
        "PROVIDER_CRASHED, true",
        "UPSTREAM_INVALID, true",
        "OVERLOADED, false",
        "CANCELLED, false",
        "SHUTTING_DOWN, false"
    })
    void onlyFailuresCausedByTheServerCount(ErrorCode code, boolean counts) {
        for (int i = 0; i < 5; i++) {
            bench.sendFailing(Failure.of(code, "no"));
        }

        assertThat(bench.passes()).isEqualTo(!counts);
    }

    @Test
    void rejectionOfAVersionOrOfHeadersDoesNotCount() {
        for (int i = 0; i < 5; i++) {
            bench.sendFailing(
                    Failure.of(ErrorCode.UPSTREAM_INVALID, "another version").withDelivery(Delivery.REJECTED));
        }

        assertThat(bench.passes()).isTrue();
    }

    @Test
    void messageOfTheServerIsHiddenFromOtherCallers() {
        for (int i = 0; i < 5; i++) {
            bench.sendRefused(-32603);
        }

        assertThat(bench.send(BreakerBench.answering()).awaitFailure().message())
                .contains("it answered with an internal error")
                .doesNotContain("secret");
    }
}
