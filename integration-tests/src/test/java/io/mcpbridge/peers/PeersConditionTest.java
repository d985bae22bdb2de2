package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PeersConditionTest {

    @Test
    void testRunsWithItsPeers() {
        assertThat(PeersCondition.decide(List.of(), "peers", true).isDisabled()).isFalse();
        assertThat(PeersCondition.decide(List.of(), "peers", false).isDisabled())
                .isFalse();
    }

    @Test
    void testIsSkippedWithoutItsPeersAndStatesWhatIsMissing() {
        var decision = PeersCondition.decide(List.of("the program 'node'", "the folder 'x'"), "peers", false);

        assertThat(decision.isDisabled()).isTrue();
        assertThat(decision.getReason().orElseThrow())
                .contains("missing are the program 'node' and the folder 'x'", "'npm ci' in integration-tests/peers");
    }

    @Test
    void missingRequiredPeersFailTheTest() {
        assertThatThrownBy(() -> PeersCondition.decide(List.of("the program 'node'"), "peers", true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("missing are the program 'node'", "MCP_BRIDGE_REQUIRE_PEERS is true");
    }
}
