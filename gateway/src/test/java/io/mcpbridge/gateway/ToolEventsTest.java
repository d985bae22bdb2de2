package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.BridgeEvent.ToolCompleted;
import io.mcpbridge.event.BridgeEvent.ToolFailed;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events of calls on the daemon's event bus. */
@Timeout(60)
class ToolEventsTest {
    private static final Pattern CORRELATION = Pattern.compile("\"correlationId\":\"([^\"]+)\"");

    private final ToolScript script = new ToolScript("tool", "echo", "big", "fail", "hang", "crash");
    private final List<BridgeEvent> events = new CopyOnWriteArrayList<>();
    private final DaemonFixture fixture;
    private final LineClient client;

    ToolEventsTest() throws Exception {
        fixture = new DaemonFixture();
        fixture.bridge("\"call-timeout\": \"1s\", \"retry\": {\"policy\": \"none\"}, ")
                .unix("tool", script);
        fixture.server("gone", "{\"path\": \"%s\"}".formatted(fixture.folder.resolve("gone.sock")));
        fixture.start().events().subscribe(events::add);
        client = fixture.client("one");
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void completedCallReportsToolResultAndDuration() {
        client.call("tool__echo", "{\"a\":1}");

        var event = await(ToolCompleted.class);
        assertThat(event.topic()).isEqualTo("provider.mcp.tool.completed");
        assertThat(event.server()).isEqualTo("tool");
        assertThat(event.tool()).isEqualTo("echo");
        assertThat(event.correlationId()).isNotEmpty();
        assertThat(event.summary()).contains("\"structuredContent\":{\"a\":1}");
        assertThat(event.duration()).isBetween(Duration.ofNanos(1), Duration.ofSeconds(10));
    }

    @Test
    void summaryIsTruncatedToItsLimit() {
        client.call("tool__big", "{}");

        assertThat(await(ToolCompleted.class).summary())
                .hasSize(ToolCompleted.SUMMARY_LIMIT + 1)
                .endsWith("…");
    }

    @Test
    void serverErrorIsReportedAsANonRetryableFailure() {
        client.call("tool__fail", "{}");

        var event = await(ToolFailed.class);
        assertThat(event.topic()).isEqualTo("provider.mcp.tool.failed");
        assertThat(event.tool()).isEqualTo("fail");
        assertThat(event.code()).isEqualTo("SERVER_ERROR");
        assertThat(event.retryable()).isFalse();
        assertThat(event.message()).contains("-32050", "refused by tool");
    }

    @Test
    void failureHasTheCorrelationIdOfTheAnswer() {
        var answer = client.call("gone__echo", "{}");

        var event = await(ToolFailed.class);
        assertThat(event.server()).isEqualTo("gone");
        assertThat(event.correlationId()).isEqualTo(correlation(answer));
        assertThat(event.code()).isEqualTo("PROVIDER_UNAVAILABLE");
        assertThat(event.retryable()).isTrue();
        assertThat(event.message()).contains("gone.sock");
    }

    @Test
    void lostConnectionIsReportedWithTheFailedCall() {
        var answer = client.call("tool__crash", "{}");

        var event = await(ToolFailed.class);
        assertThat(event.tool()).isEqualTo("crash");
        assertThat(event.correlationId()).isEqualTo(correlation(answer));
        assertThat(event.message()).isNotEmpty();
    }

    private static String correlation(Response answer) {
        var found = CORRELATION.matcher(answer.json());
        assertThat(found.find()).as(answer.json()).isTrue();
        return found.group(1);
    }

    private <T extends BridgeEvent> T await(Class<T> kind) {
        return Eventually.get(
                () -> kind.getSimpleName() + " among " + events,
                () -> events.stream()
                        .filter(kind::isInstance)
                        .map(kind::cast)
                        .findFirst()
                        .or(Optional::empty));
    }
}
