package io.mcpbridge.audit.mapping;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.AuditLine;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of the golden trail in the words of other systems. */
class MappingsTest {

    @Test
    void anEnterIsAnApiActivityWhoseEndIsNotKnown() throws IOException {
        assertThat(OcsfMapping.json(line(2)))
                .contains("\"activity_id\":99", "\"class_uid\":6003", "\"category_uid\":6", "\"type_uid\":600399")
                .contains("\"status_id\":0", "\"severity_id\":1", "\"time\":1795343492123")
                .contains("\"actor\":{\"app_name\":\"claude-desktop\",\"user\":{\"name\":\"alice\"}}")
                .contains("\"operation\":\"get_issue\"", "\"service\":{\"name\":\"github\"}")
                .contains("\"correlation_uid\":\"c0ffee-1\"", "\"uid\":\"c0ffee-1-enter\"");
    }

    @Test
    void anExitIsAnApiActivityWithItsStatusAndDuration() throws IOException {
        assertThat(OcsfMapping.json(line(3))).contains("\"status_id\":1", "\"duration\":12");
        assertThat(OcsfMapping.json(line(6)))
                .contains("\"status_id\":2", "\"severity_id\":3", "\"code\":-31003")
                .contains("\"status_detail\":\"bad \\\\u001b[31m password");
        assertThat(OcsfMapping.json(line(9))).contains("\"activity_id\":2", "\"type_uid\":600302");
    }

    @Test
    void aNoteIsABaseEvent() throws IOException {
        assertThat(OcsfMapping.json(line(1))).contains("\"class_uid\":0", "\"type_uid\":99", "\"message\":\"started\"");
    }

    @Test
    void recordsAreDocumentsOfEcs() throws IOException {
        assertThat(EcsMapping.json(line(2)))
                .contains("\"@timestamp\":\"2026-11-22T10:31:32.123456Z\"", "\"category\":[\"api\"]")
                .contains("\"action\":\"tools/call\"", "\"type\":[\"start\"]", "\"outcome\":\"unknown\"")
                .contains("\"trace\":{\"id\":\"4bf92f3577b34da6a3ce929d0e0e4736\"}", "\"user\":{\"id\":\"alice\"}")
                .contains("\"span\":{\"id\":\"00f067aa0ba902b7\"}");
        assertThat(EcsMapping.json(line(3)))
                .contains("\"outcome\":\"success\"", "\"duration\":12000000", "\"type\":[\"end\"]")
                .contains("\"trace\":{\"id\":\"4bf92f3577b34da6a3ce929d0e0e4736\"}");
        assertThat(EcsMapping.json(line(6)))
                .contains("\"outcome\":\"failure\"", "\"error\":{\"code\":\"-31003\",\"message\":\"bad ");
        assertThat(EcsMapping.json(line(7))).contains("\"type\":[\"denied\"]", "\"reason\":\"quarantine\"");
        assertThat(EcsMapping.json(line(1))).contains("\"type\":[\"info\"]", "\"action\":\"started\"");
    }

    @Test
    void nothingOfARecordIsLost() throws IOException {
        for (var line : lines()) {
            var data = line.json().substring("{\"data\":".length(), line.json().indexOf(",\"datacontenttype\""));

            assertThat(OcsfMapping.json(line)).contains("\"unmapped\":" + data);
            assertThat(EcsMapping.json(line)).contains("\"mcp_bridge\":" + data);
        }
    }

    private static AuditLine line(int number) throws IOException {
        return lines().get(number - 1);
    }

    private static List<AuditLine> lines() throws IOException {
        try (var in = AuditLine.class.getResourceAsStream("golden.jsonl")) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .map(each -> AuditLine.parse(each.getBytes(UTF_8)))
                    .toList();
        }
    }
}
