package io.mcpbridge.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallExceptionTest {
    private static final Failure LAST =
            Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the server is away").withAttempts(2);

    @Test
    void messageNamesTheRetriesThatWereMade() {
        assertThat(CallException.of(LAST))
                .hasMessage("failed after all retries (2 attempts): the server is away")
                .hasCauseInstanceOf(CallException.class);
    }

    @Test
    void messageNamesTheRetryBudgetThatIsSpent() {
        assertThat(CallException.of(LAST.withAttempts(1).withBudgetSpent()))
                .hasMessage("the server is away; it is not tried again, since the retry budget is spent");
    }

    @Test
    void timeoutNamesItsAttempts() {
        var timeout =
                Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out after 5 ms").withAttempts(3);

        assertThat(CallException.of(timeout))
                .isInstanceOf(CallTimedOutException.class)
                .hasMessage("timed out after 5 ms (after 3 attempts)");
    }
}
