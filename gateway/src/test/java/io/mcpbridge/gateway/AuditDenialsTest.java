package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The records of rejected calls. */
@Timeout(60)
class AuditDenialsTest {
    @RegisterExtension
    final AuditFixture bench = new AuditFixture();

    private final ToolScript script = bench.script;
    private final RecordingAuditSink sink = bench.sink;
    private final DaemonFixture fixture = bench.fixture;

    @Test
    void unknownToolIsRecordedAsDeniedWithSampling() throws IOException {
        var client = bench.started("");

        for (int i = 0; i < 9; i++) {
            assertThat(client.call("none__echo" + i, "{}").isError()).isTrue();
        }

        assertThat(sink.enters()).isEmpty();
        assertThat(sink.exits()).isEmpty();
        assertThat(sink.denials())
                .extracting("call.tool")
                .containsExactly("none__echo0", "none__echo1", "none__echo3", "none__echo7");
        assertThat(sink.denials().get(3).reason()).isEqualTo("Unknown tool: none__echo7 (8 such calls by now)");
    }

    @Test
    void denialNamesTheServerOfTheExposedNamePrefix() throws IOException {
        var client = bench.started("");
        client.call("none__nope", "{}");

        client.call("one__nope", "{}");
        client.answer(client.request(Methods.PROMPTS_GET, "{\"name\":\"one__nothing\"}"));
        client.answer(
                client.request(
                        Methods.COMPLETION_COMPLETE,
                        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"two__p\"},\"argument\":{\"name\":\"a\",\"value\":\"b\"}}"));

        assertThat(sink.denials())
                .extracting("call.server", "call.tool")
                .containsExactly(tuple("", "none__nope"), tuple("one", "nope"), tuple("", "two__p"));
        assertThat(sink.exits())
                .singleElement()
                .returns("one", exit -> exit.call().server())
                .returns("nothing", exit -> exit.call().tool());
    }

    @Test
    void callBeyondTheLimitIsRecordedAsDenied() throws IOException {
        var client = bench.started("\"limits\": {\"in-flight\": 1}, ");
        client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        client.call("one__echo", "{}");

        assertThat(sink.denials()).singleElement().satisfies(denied -> {
            assertThat(denied.call().server()).isEqualTo("one");
            assertThat(denied.call().tool()).isEqualTo("echo");
            assertThat(denied.reason()).contains("'limits.in-flight'");
            assertThat(denied.call().correlationId()).isNotEmpty();
        });
        script.answerAll();
    }

    @Test
    void callWithAnIdInUseIsRecordedAsDenied() throws IOException {
        var client = bench.started("");
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        client.send(Request.of(id, Methods.TOOLS_CALL, "{\"name\":\"one__echo\",\"arguments\":{}}"));
        var refused = client.answer(id);

        assertThat(sink.denials()).singleElement().satisfies(denied -> {
            assertThat(denied.call().server()).isEqualTo("one");
            assertThat(denied.call().tool()).isEqualTo("echo");
            assertThat(denied.reason()).contains("is in use by a request that is not answered yet");
            assertThat(refused.json()).contains(denied.call().correlationId());
        });
        script.answerAll();
    }

    @Test
    void toolOfAServerNamedBridgeIsRecordedUnderThatServer() throws IOException {
        bench.fixture.server("bridge", bench.fixture.unix("two", script).section());
        var client = bench.started("");

        client.call("bridge__call_tool", "{}");

        assertThat(sink.denials()).extracting("call.server", "call.tool").containsExactly(tuple("bridge", "call_tool"));
    }

    @Test
    void callDuringADrainIsRecordedAsDenied() throws Exception {
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
