package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The daemon pings its clients and disconnects those that do not answer. */
@Timeout(60)
class KeepAliveTest {
    private final ToolScript script = new ToolScript("tool", "hang");
    private final DaemonFixture fixture;

    KeepAliveTest() throws Exception {
        fixture = new DaemonFixture();
        fixture.bridge("\"keep-alive\": \"1s\", ").unix("tool", script);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void clientThatDoesNotAnswerIsDisconnectedAndItsCallCancelled() throws Exception {
        var clock = new FakeTimekeeper();
        var daemon = fixture.start(DaemonOptions.DEFAULTS.withEnvironment(fixture.timedBy(clock)));
        var client = fixture.client("deaf");
        client.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        clock.advance(Duration.ofSeconds(1));
        Eventually.holds("a ping", () -> client.others().stream().anyMatch(KeepAliveTest::isPing));
        assertThat(daemon.clients()).hasSize(1);
        clock.advance(Duration.ofSeconds(1));

        Eventually.holds("the client to be gone", () -> daemon.clients().isEmpty());

        Eventually.holds("its connection to be closed", client::isOver);
        Eventually.holds("its call to be cancelled", () -> script.cancelled().size() == 1);
    }

    @Test
    void answeringClientStaysConnected() throws Exception {
        var daemon = fixture.start();
        var client = fixture.client("polite").polite();

        Eventually.holds(
                "some pings",
                () -> client.others().stream().filter(KeepAliveTest::isPing).count() > 1);

        assertThat(daemon.clients()).hasSize(1);
        assertThat(client.isOver()).isFalse();
    }

    @Test
    void halfClosedClientReceivesItsAnswer() throws Exception {
        fixture.start();
        var client = fixture.client("brief");
        var call = client.callLater("tool__hang", "{}");
        client.halfClose();
        var watch = fixture.client("watch").polite();

        Eventually.holds(
                "some intervals",
                () -> watch.others().stream().filter(KeepAliveTest::isPing).count() > 2);
        script.answerAll();

        assertThat(client.answer(call).isError()).isFalse();
        Eventually.holds("its connection to be closed", client::isOver);
    }

    private static boolean isPing(Message message) {
        return message instanceof Request request && request.method().equals(Methods.PING);
    }
}
