package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shutdown of the daemon. */
@Timeout(60)
class DaemonDrainTest {
    private static final String SHUTTING_DOWN = "-31009";

    private final ToolScript script = new ToolScript("tool", "echo", "hang");
    private final DaemonFixture fixture;

    DaemonDrainTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void drainCompletesPendingCallsAndRejectsNewOnes() throws Exception {
        fixture.unix("tool", script);
        var daemon = fixture.start();
        var client = fixture.client("one");
        var call = client.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        var draining = drain(daemon);
        Eventually.holds("the drain to begin", () -> daemon.health().phase().equals("draining"));

        assertThat(client.call("tool__echo", "{}").json())
                .contains(SHUTTING_DOWN, "\"delivery\":\"not_sent\"", "\"retryable\":true");
        Eventually.holds("new clients to be rejected", this::rejectsNewClients);
        assertThat(client.hasAnswer(call)).isFalse();
        assertThat(script.answerOne()).isTrue();
        assertThat(client.answer(call).isError()).isFalse();
        draining.join();
        Eventually.holds("the connection to end", client::isOver);
        assertThat(fixture.sockets()).containsExactly("tool.sock");
    }

    @Test
    void pendingCallsAreAnsweredWhenTheDrainTimesOut() throws Exception {
        fixture.bridge("\"drain-timeout\": \"300ms\", ").unix("tool", script);
        fixture.unix("shy", new ToolScript("shy").holdingHandshakes());
        var daemon = fixture.start();
        var client = fixture.client("one");
        var call = client.callLater("tool__hang", "{}");
        var list = client.request(Methods.TOOLS_LIST, "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        daemon.drain();

        assertThat(client.answer(call).json()).contains(SHUTTING_DOWN, "\"delivery\":\"unknown\"");
        assertThat(client.answer(list).json()).contains(SHUTTING_DOWN);
        assertThat(daemon.health().phase()).isEqualTo("ended");
    }

    @Test
    void closeEndsASessionDuringItsHandshake() throws Exception {
        var shy = new ToolScript("shy", "echo").holdingHandshakes();
        var server = fixture.unix("shy", shy);
        var daemon = fixture.start();
        var client = fixture.client("one");
        var call = client.callLater("shy__echo", "{}");
        Eventually.holds("the handshake to wait", () -> shy.hanging() == 1);

        daemon.close();

        assertThat(client.answer(call).json()).contains(SHUTTING_DOWN, "\"delivery\":\"not_sent\"");
        Eventually.holds("the connection to be closed", () -> server.connections() == 0);
    }

    @Test
    void closeEndsADrainAtOnce() throws Exception {
        fixture.unix("tool", script);
        var daemon = fixture.start();
        var client = fixture.client("one");
        var call = client.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);
        var draining = drain(daemon);
        Eventually.holds("the drain to begin", () -> daemon.health().phase().equals("draining"));

        daemon.close();

        draining.join();
        assertThat(client.answer(call).json()).contains(SHUTTING_DOWN);
    }

    @Test
    void drainEndsChildProcesses() throws Exception {
        fixture.child("child", "echo");
        var daemon = fixture.start();
        fixture.client("one").call("child__echo", "{}");
        var pid = daemon.servers().get(0).pid().orElseThrow();
        assertThat(ProcessHandle.of(pid)).isPresent();

        daemon.drain();

        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void drainLeavesNoOpenResources() throws Exception {
        fixture.child("child", "echo");
        fixture.http("web", new ToolScript("web", "echo"));
        fixture.unix("tool", script);
        // The first time loads classes, and with them files that stay open.
        startUseAndDrain();
        var residue = LeakCheck.now();

        startUseAndDrain();

        residue.assertNothingLeftNorOpen();
    }

    private void startUseAndDrain() throws Exception {
        var daemon = fixture.start();
        try (var client = LineClient.initialized(fixture.unixAddress(), "one")) {
            for (var server : List.of("child", "web", "tool")) {
                assertThat(client.call(server + "__echo", "{}").isError()).isFalse();
            }
        }
        daemon.drain();
    }

    private static Thread drain(Daemon daemon) {
        var thread = new Thread(
                () -> {
                    try {
                        daemon.drain();
                    } catch (InterruptedException impossible) {
                        Thread.currentThread().interrupt();
                    }
                },
                "test-drain");
        thread.start();
        return thread;
    }

    private boolean rejectsNewClients() {
        try (var late = LineClient.connect(fixture.unixAddress())) {
            return late.isOver();
        } catch (IOException refused) {
            return true;
        }
    }
}
