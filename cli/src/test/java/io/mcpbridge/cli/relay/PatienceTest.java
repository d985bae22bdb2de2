package io.mcpbridge.cli.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ClientConfiguration;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {

    @Test
    void pausesDoubleAndNoneFollowsTheLastTry() {
        var patience = Patience.of(ClientConfiguration.DEFAULTS);

        assertThat(patience.pause(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(patience.pause(4)).isEqualTo(Duration.ofSeconds(8));
        assertThat(patience.pause(5)).isZero();
        assertThat(patience.total()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void whoDoesNotReconnectLooksOnce() {
        var patience = Patience.of(ClientConfiguration.parse("{\"mcpBridge\":{\"reconnect\":{\"enabled\":false}}}"));

        assertThat(patience.tries()).isEqualTo(1);
        assertThat(patience.total()).isZero();
    }
}
