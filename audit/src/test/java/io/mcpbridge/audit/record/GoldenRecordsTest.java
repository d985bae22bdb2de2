package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditedCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bytes of a trail, which others read long after they were written: a change of them is a change of the format. */
class GoldenRecordsTest {
    private final AuditRecords records = TestRecords.at(RecordLevel.RESULT);

    @Test
    void aTrailIsWrittenAsItAlwaysWas() throws IOException {
        var lines = new ArrayList<String>();

        var chain = AuditChain.start();
        for (var body : bodies()) {
            lines.add(new String(chain.append(body), UTF_8));
        }

        assertThat(String.join("\n", lines) + "\n").isEqualTo(golden());
    }

    @Test
    void theTrailIsReadAndItsChainHolds() throws IOException {
        var head = ChainHead.START;

        for (var line : golden().lines().toList()) {
            var read = AuditLine.parse(line.getBytes(UTF_8));
            assertThat(read.faultAfter(head)).isEmpty();
            head = read.head();
        }

        assertThat(head.sequence()).isEqualTo(bodies().size());
    }

    @Test
    void aRecordTellsHowFirmlyTheProcessOfTheServerWasHeld() {
        var call = new AuditedCall("tools/call", "files", "read", "", "L2");

        var enter = records.enter(Events.enter(call, "{}"), Events.TIME);
        var exit = records.exit(Events.answered(call, "{\"content\":[]}"), Events.TIME);

        assertThat(List.of(enter, exit))
                .allSatisfy(body -> assertThat(body.toString()).contains("\"sandbox\":\"L2\",\"server\":\"files\""));
    }

    private List<RecordBody> bodies() {
        var records = this.records;
        var enter = records.enter(
                Events.enter("{\"number\": 42,\"password\":\"hunter2\", \"n\":1.0e400, \"n\":2}"), Events.TIME);
        var read = new AuditedCall("resources/read", "files", "file:///a/b?token=x", "");
        return List.of(
                records.note(new AuditNote("started", Map.of("version", "0.1.0")), Events.TIME),
                enter,
                records.exit(
                        Events.answered("{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"token\\\":\\\"abc\\\"}\"}]}"),
                        Events.TIME),
                records.exit(Events.answered("{\"isError\":true,\"content\":[]}"), Events.TIME),
                records.exit(Events.answered("{\"resultType\":\"input_required\",\"inputRequests\":{}}"), Events.TIME),
                records.exit(
                        Events.failed("bad \u001b[31m password 'hunter2' at https://bob:pw@host/x?api_key=xyz"),
                        Events.TIME),
                records.denied(Events.denied("rm\nrf", "x\u202ey", "quarantine"), Events.TIME),
                records.enter(Events.enter(read, "{}"), Events.TIME),
                records.exit(Events.answered(read, "{\"contents\":[]}"), Events.TIME),
                records.inDoubt(Events.read(enter), Events.TIME));
    }

    private static String golden() throws IOException {
        try (var in = GoldenRecordsTest.class.getResourceAsStream("golden.jsonl")) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
