package io.mcpbridge.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
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

    @Test
    void lostConnectionAndCrashedServerAreCauses() {
        var lost = LAST.withDelivery(Delivery.UNKNOWN).withAttempts(1);
        var crashed = Failure.of(ErrorCode.PROVIDER_CRASHED, "exit code 7");

        assertThat(CallException.of(lost.withStatus(200)))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage("the server is away");
        assertThat(CallException.of(lost.withStatus(503))).cause().hasMessage("HTTP status 503");
        assertThat(CallException.of(crashed.withCode(ErrorCode.IN_DOUBT)))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage("exit code 7");
    }

    @Test
    void callThatTheBridgeRejectedHasNoCause() {
        assertThat(CallException.of(LAST.withAttempts(1).withBreakerOpen(Duration.ofSeconds(1))))
                .hasNoCause();
        assertThat(CallException.of(Failure.of(ErrorCode.OVERLOADED, "the queue is full")))
                .hasNoCause();
    }
}
