package io.mcpbridge.cli.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.DaemonClientConfiguration;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReconnectPolicyTest {

    @Test
    void pausesDoubleAndNoneFollowsTheLastAttempt() {
        var policy = ReconnectPolicy.of(DaemonClientConfiguration.DEFAULTS);

        assertThat(policy.pause(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.pause(4)).isEqualTo(Duration.ofSeconds(8));
        assertThat(policy.pause(5)).isZero();
        assertThat(policy.total()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void withoutReconnectThereIsOneAttempt() {
        var policy = ReconnectPolicy.of(
                DaemonClientConfiguration.parse("{\"mcpBridge\":{\"reconnect\":{\"enabled\":false}}}"));

        assertThat(policy.attempts()).isEqualTo(1);
        assertThat(policy.total()).isZero();
    }
}
