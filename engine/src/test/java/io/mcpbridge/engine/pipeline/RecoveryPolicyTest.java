package io.mcpbridge.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.pipeline.RecoveryPolicy.Cause;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What follows when a server rejects a request because of something the bridge assumed. */
class RecoveryPolicyTest {
    private static final Failure REJECTED = failure(Delivery.REJECTED);

    private final RecoveryPolicy policy = new RecoveryPolicy(true);

    private static Failure failure(Delivery delivery) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the server rejected it")
                .withDelivery(delivery);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Cause.class)
    void rejectedRequestIsSentAgain(Cause cause) {
        assertThat(policy.resends(cause, REJECTED, Set.of())).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Cause.class)
    void requestIsSentAgainOncePerCause(Cause cause) {
        assertThat(policy.resends(cause, REJECTED, EnumSet.of(cause))).isFalse();
        assertThat(policy.resends(cause, REJECTED, EnumSet.complementOf(EnumSet.of(cause))))
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Cause.class)
    void requestThatMayHaveRunIsNotSentAgain(Cause cause) {
        assertThat(policy.resends(cause, failure(Delivery.UNKNOWN), Set.of())).isFalse();
    }

    @Test
    void requestOverASingleConnectionIsNotSentAgain() {
        var single = new RecoveryPolicy(false);

        assertThat(single.resends(Cause.SESSION_LOST, REJECTED, Set.of())).isFalse();
        assertThat(single.resends(Cause.WRONG_ERA, REJECTED, Set.of())).isFalse();
        assertThat(single.resends(Cause.UNAUTHORIZED, REJECTED, Set.of())).isTrue();
    }
}
