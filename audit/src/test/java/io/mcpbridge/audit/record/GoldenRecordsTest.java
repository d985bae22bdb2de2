package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bytes of a trail, which others read long after they were written: a change of them is a change of the format. */
class GoldenRecordsTest {
    private final AuditRecords records = TestRecords.at(RecordSettings.Level.RESULT);

    @Test
    void trailFormatIsUnchanged() throws IOException {
        var lines = new ArrayList<String>();

        var chain = AuditChain.start();
        for (var body : bodies()) {
            lines.add(new String(chain.append(body), UTF_8));
        }

        assertThat(String.join("\n", lines) + "\n").isEqualTo(golden());
    }

    @Test
    void trailIsReadAndItsChainIsValid() throws IOException {
        var head = ChainHead.START;

        for (var line : golden().lines().toList()) {
            var read = ParsedRecord.parse(line.getBytes(UTF_8));
            assertThat(read.faultAfter(head)).isEmpty();
            head = read.head();
        }

        assertThat(head.sequence()).isEqualTo(bodies().size());
    }

    @Test
    void recordHasTheSandboxLevelOfItsServer() {
        var call = AuditedCallFixture.of("tools/call", "files", "read", "", "L2");

        var enter = records.enter(Events.enter(call, "{}"), Events.TIME);
        var exit = Events.ended(records, Events.answered(call, "{\"content\":[]}"));

        assertThat(List.of(enter, exit))
                .allSatisfy(body -> assertThat(body.toString()).contains("\"sandbox\":\"L2\",\"server\":\"files\""));
    }

    @Test
    void exceptionOfAServedToolIsAToolErrorWithItsMessage() {
        var thrown = Failure.of(ErrorCode.INTERNAL_ERROR, "the disk is full")
                .withDelivery(Delivery.ANSWERED)
                .withToolError();

        var exit = Events.ended(records, Events.exit(Events.call(""), Outcome.failed(thrown)));

        assertThat(exit.toString())
                .contains("\"delivery\":\"ANSWERED\"", "\"error\":\"the disk is full\"", "\"outcome\":\"tool-error\"")
                .doesNotContain("\"code\"", "\"reason\"");
    }

    @Test
    void bridgeFailureThrownByAServedToolKeepsItsReason() {
        var thrown = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "the other server is slow")
                .withDelivery(Delivery.ANSWERED)
                .withToolError();

        var exit = records.exit(Events.exit(Events.call(""), Outcome.failed(thrown)), Events.TIME);

        assertThat(exit.toString())
                .contains("\"code\":-31003", "\"delivery\":\"ANSWERED\"")
                .contains("\"outcome\":\"tool-error\"", "\"reason\":\"provider_timeout\"");
    }

    private List<RecordBody> bodies() {
        var records = this.records;
        var enter = records.enter(
                Events.enter("{\"number\": 42,\"password\":\"hunter2\", \"n\":1.0e400, \"n\":2}"), Events.TIME);
        var read = AuditedCallFixture.of("resources/read", "files", "file:///a/b?token=x", "");
        return List.of(
                records.note(new AuditNote("started", Map.of("version", "0.1.0")), Events.TIME),
                enter,
                Events.ended(
                        records,
                        Events.answered(
                                "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"token\\\":\\\"abc\\\"}\"}]}")),
                Events.ended(records, Events.answered("{\"isError\":true,\"content\":[]}")),
                Events.ended(records, Events.answered("{\"resultType\":\"input_required\",\"inputRequests\":{}}")),
                Events.ended(
                        records,
                        Events.failed("bad \u001b[31m password 'hunter2' at https://bob:pw@host/x?api_key=xyz")),
                records.denied(Events.denied("rm\nrf", "x\u202ey", "quarantine"), Events.TIME),
                records.enter(Events.enter(read, "{}"), Events.TIME),
                Events.ended(records, Events.answered(read, "{\"contents\":[]}")),
                records.inDoubt(Events.read(enter), Events.TIME));
    }

    private static String golden() throws IOException {
        try (var in = GoldenRecordsTest.class.getResourceAsStream("golden.jsonl")) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
