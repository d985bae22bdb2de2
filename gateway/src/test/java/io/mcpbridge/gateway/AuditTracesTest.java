package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The trace context of a client in audit records. */
@Timeout(60)
class AuditTracesTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String OTHER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
    private static final String MODERN = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{},";

    @RegisterExtension
    final AuditFixture bench = new AuditFixture();

    private final RecordingAuditSink sink = bench.sink;

    @ParameterizedTest(name = "a client of the {0} era")
    @CsvSource({"legacy, ''", "modern, '" + MODERN + "'"})
    void recordsHaveTheTraceOfTheMeta(String era, String meta) throws IOException {
        var client = bench.started("");

        call(client, "one__echo", meta, TRACE);

        assertThat(sink.enters().get(0).call().trace()).isEqualTo(new TraceParent(TRACE));
        assertThat(bench.exit().call().trace()).isEqualTo(new TraceParent(TRACE));
    }

    @ParameterizedTest(name = "a client of the {0} era")
    @CsvSource({"legacy", "modern"})
    void recordsHaveTheTraceOfTheHeaders(String era) throws Exception {
        bench.started("");
        var client = httpClient(era);

        client.sending("traceparent", TRACE).callTool(1, "one__echo", "{}");

        assertThat(sink.enters().get(0).call().trace()).isEqualTo(new TraceParent(TRACE));
        assertThat(bench.exit().call().trace()).isEqualTo(new TraceParent(TRACE));
    }

    @Test
    void denialHasTheTraceOfItsCall() throws IOException {
        var client = bench.started("");

        call(client, "none__echo", "", TRACE);

        assertThat(sink.denials().get(0).call().trace()).isEqualTo(new TraceParent(TRACE));
    }

    @ParameterizedTest(name = "a client of the {0} era")
    @CsvSource({"legacy", "modern"})
    void denialBeforeTheCallBeginsHasTheTraceOfTheHeaders(String era) throws Exception {
        bench.started("\"limits\": {\"in-flight\": 1}, ");
        var client = httpClient(era);
        var holder = HttpTestClient.initialized(bench.fixture.httpAddress());
        var held = CompletableFuture.runAsync(() -> hang(holder));
        Eventually.holds("the call to hang", () -> bench.script.hanging() == 1);

        var answer = client.sending("traceparent", TRACE).callTool(1, "one__echo", "{}");
        bench.script.answerAll();
        held.join();

        assertThat(sink.denials()).singleElement().satisfies(denied -> {
            assertThat(denied.call().trace()).isEqualTo(new TraceParent(TRACE));
            assertThat(answer).contains("-31006", denied.call().correlationId());
        });
    }

    private HttpTestClient httpClient(String era) throws Exception {
        var address = bench.fixture.httpAddress();
        return era.equals("legacy")
                ? HttpTestClient.initialized(address)
                : HttpTestClient.modern(address, Duration.ofSeconds(20));
    }

    private static void hang(HttpTestClient client) {
        try {
            var unused = client.call("one__hang", "{}");
        } catch (IOException | InterruptedException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    void invalidTraceIsOmittedAndHasNoEffect() throws IOException {
        var client = bench.started("");

        for (var bad : new String[] {"00-nonsense", TRACE.toUpperCase(java.util.Locale.ROOT), TRACE + "-more", ""}) {
            assertThat(call(client, "one__echo", "", bad)).isFalse();
        }

        assertThat(sink.enters())
                .hasSize(4)
                .allSatisfy(enter -> assertThat(enter.call().trace()).isEqualTo(TraceParent.NONE));
    }

    @Test
    void observedCallIsRecordedInTheTraceOfTheObserver() throws IOException {
        bench.fixture.unix("one", bench.script);
        bench.fixture
                .bridge("")
                .start(DaemonOptions.DEFAULTS.withAuditSink(sink).withObserver(new Tracing()));

        call(bench.fixture.client("alice"), "one__echo", "", TRACE);

        assertThat(bench.exit().call().trace()).isEqualTo(new TraceParent(OTHER));
    }

    private static final class Tracing implements CallObserver, CallTracer {

        @Override
        public CallTracer begun(CallStart start) {
            return this;
        }

        @Override
        public TraceParent trace() {
            return new TraceParent(OTHER);
        }
    }

    /** Calls the tool; true if the call failed. */
    private static boolean call(LineClient client, String tool, String meta, String trace) {
        var params = "{\"name\":\"%s\",\"_meta\":{%s\"traceparent\":\"%s\"}}".formatted(tool, meta, trace);
        return client.answer(client.request("tools/call", params)).isError();
    }
}
