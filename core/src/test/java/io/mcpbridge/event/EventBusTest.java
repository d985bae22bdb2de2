package io.mcpbridge.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventBusTest {
    private final EventBus bus = new EventBus(System.getLogger("io.mcpbridge.event.test"));
    private final List<BridgeEvent> heard = new ArrayList<>();
    private final BridgeEvent event = new BridgeEvent.Disconnected("s", "c", "gone");

    @Test
    void subscriberThatThrowsDoesNotAffectOthers() {
        bus.subscribe(any -> {
            throw new IllegalStateException("a subscriber's defect");
        });
        bus.subscribe(heard::add);

        bus.publish(event);

        assertThat(heard).containsExactly(event);
    }

    @Test
    void closedSubscriptionReceivesNothing() {
        bus.subscribe(heard::add).close();

        bus.publish(event);

        assertThat(heard).isEmpty();
        assertThat(bus.hasSubscribers()).isFalse();
    }

    @Test
    void eachEventHasItsDocumentedTopic() {
        var all = List.of(
                new BridgeEvent.ToolsDiscovered("s", "c", 1, List.of("a")),
                new BridgeEvent.ToolCompleted("s", "c", "t", "{}", Duration.ZERO),
                new BridgeEvent.ToolFailed("s", "c", "t", "CODE", true, "m"),
                new BridgeEvent.ToolsRefreshed("s", "c", List.of(), List.of(), 0),
                event,
                new BridgeEvent.Reconnected("s", "c", 1),
                new BridgeEvent.ReconnectExhausted("s", "c", 1, "r"),
                new BridgeEvent.BreakerOpened("s", "c", Duration.ZERO, "r"),
                new BridgeEvent.BreakerClosed("s", "c"),
                new BridgeEvent.ToolQuarantined("s", "c", "t", "r"));

        assertThat(all.stream().map(BridgeEvent::topic))
                .containsExactly(
                        "provider.mcp.tools.discovered",
                        "provider.mcp.tool.completed",
                        "provider.mcp.tool.failed",
                        "provider.mcp.tools.refreshed",
                        "provider.mcp.disconnected",
                        "provider.mcp.reconnected",
                        "provider.mcp.reconnect.exhausted",
                        "provider.mcp.breaker.opened",
                        "provider.mcp.breaker.closed",
                        "provider.mcp.tool.quarantined");
        assertThat(all).allMatch(each -> each.correlationId().equals("c"));
    }

    @Test
    void summaryIsTruncatedToItsLimit() {
        var atLimit = new BridgeEvent.ToolCompleted("s", "c", "t", "x".repeat(200), Duration.ZERO);
        var beyond = new BridgeEvent.ToolCompleted("s", "c", "t", "x".repeat(201), Duration.ZERO);

        assertThat(atLimit.summary()).hasSize(200);
        assertThat(beyond.summary()).isEqualTo("x".repeat(200) + "…");
    }
}
