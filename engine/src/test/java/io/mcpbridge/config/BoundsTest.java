package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.config.BridgeSettings.LimitSettings;
import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.ByteBudget;
import org.junit.jupiter.api.Test;

class BoundsTest {

    @Test
    void defaultsMatchTheDocumentedLimits() {
        var bounds = BridgeLimits.usual();

        assertThat(bounds.fromClients()).isEqualTo(Limits.CLIENT);
        assertThat(bounds.fromServers()).isEqualTo(Limits.SERVER);
        assertThat(bounds.queue()).isEqualTo(1_024);
        assertThat(bounds.outbound().maxBytes()).isEqualTo(Runtime.getRuntime().maxMemory() / 4);
        assertThat(bounds.outboundOfOne()).isEqualTo((16 << 20) + (64 << 10));
    }

    @Test
    void configuredLimitsApplyAndTheByteBudgetIsKept() {
        var usual = BridgeLimits.usual();

        var bounds = new LimitSettings(1, 2, 4, 7, 3, 5, 6, 400, 5_000).apply(usual);

        assertThat(bounds.queue()).isEqualTo(3);
        assertThat(bounds.subscribedResources()).isEqualTo(7);
        assertThat(bounds.fromClients().maxBytes()).isEqualTo(400);
        assertThat(bounds.fromServers().maxBytes()).isEqualTo(5_000);
        assertThat(bounds.outbound()).isSameAs(usual.outbound());
    }

    @Test
    void largestFrameLeavesRoomForItsQueue() {
        assertThat(new BridgeLimits(
                                Limits.CLIENT,
                                Limits.SERVER.withMaxBytes(Integer.MAX_VALUE),
                                1_024,
                                64,
                                1_024,
                                1_024,
                                ByteBudget.ofHeap())
                        .outboundOfOne())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void queueLimitMustBeAtLeastOne() {
        assertThatThrownBy(
                        () -> new BridgeLimits(Limits.CLIENT, Limits.SERVER, 0, 64, 1_024, 1_024, ByteBudget.ofHeap()))
                .hasMessage("'queue' is 0 but must be at least 1");
    }

    @Test
    void budgetGrantsAllBytesOrNone() {
        var budget = ByteBudget.of(10);

        assertThat(budget.take(10)).isTrue();
        assertThat(budget.take(1)).isFalse();
        assertThat(budget.hasRoomFor(1)).isFalse();
        budget.takeAnyway(5);
        budget.giveBack(14);

        assertThat(budget.used()).isEqualTo(1);
        assertThat(budget.hasRoomFor(9)).isTrue();
        assertThat(budget.hasRoomFor(10)).isFalse();
    }
}
