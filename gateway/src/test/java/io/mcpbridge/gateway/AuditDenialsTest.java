package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The records of calls that a daemon does not forward. */
@Timeout(60)
class AuditDenialsTest {
    @RegisterExtension
    final AuditBench bench = new AuditBench();

    private final ToolScript script = bench.script;
    private final RecordingAuditSink sink = bench.sink;
    private final DaemonFixture fixture = bench.fixture;

    @Test
    void anUnknownToolIsDeniedAndItsNumberIsBounded() throws IOException {
        var client = bench.started("");

        for (int i = 0; i < 9; i++) {
            assertThat(client.call("none__echo" + i, "{}").isError()).isTrue();
        }

        assertThat(sink.enters()).isEmpty();
        assertThat(sink.exits()).isEmpty();
        assertThat(sink.denials())
                .extracting("tool")
                .containsExactly("none__echo0", "none__echo1", "none__echo3", "none__echo7");
        assertThat(sink.denials().get(3).reason()).isEqualTo("Unknown tool: none__echo7 (8 such calls by now)");
    }

    @Test
    void aCallBeyondTheLimitIsDenied() throws IOException {
        var client = bench.started("\"limits\": {\"in-flight\": 1}, ");
        client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        client.call("one__echo", "{}");

        assertThat(sink.denials()).singleElement().satisfies(denied -> {
            assertThat(denied.tool()).isEqualTo("one__echo");
            assertThat(denied.reason()).contains("calls-in-flight");
            assertThat(denied.correlationId()).isNotEmpty();
        });
        script.answerAll();
    }

    @Test
    void aCallWhileTheDaemonDrainsIsDenied() throws Exception {
        var client = bench.started("");
        var hanging = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);
        var drain = new Thread(() -> drain(fixture.running()), "test-drain");
        drain.start();
        Eventually.holds(
                "the gate to shut", () -> fixture.running().health().phase().equals("draining"));

        client.call("one__echo", "{}");
        script.answerAll();
        client.answer(hanging);
        drain.join();

        assertThat(sink.denials())
                .singleElement()
                .satisfies(denied -> assertThat(denied.reason()).contains("is shutting down"));
        assertThat(sink.exits()).hasSize(1);
    }

    private static void drain(Daemon daemon) {
        try {
            daemon.drain();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
