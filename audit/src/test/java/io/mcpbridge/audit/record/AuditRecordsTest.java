package io.mcpbridge.audit.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AuditRecordsTest {
    private final AuditRecords records = TestRecords.at(RecordLevel.RESULT);

    @Test
    void anEnterIsWrittenLikeThis() {
        System.out.println(Events.line(records.enter(Events.enter("{\"number\": 42,\"password\":\"hunter2\", \"n\":1.0e400}"), Events.TIME)));
        System.out.println(Events.line(records.exit(Events.answered("{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"token\\\":\\\"abc\\\"}\"}]}"), Events.TIME)));
        System.out.println(Events.line(records.exit(Events.failed("bad \u001b[31m password 'hunter2' at https://bob:pw@host/x?api_key=xyz"), Events.TIME)));
        System.out.println(Events.line(records.denied(Events.denied("rm\nrf", "x\u202ey", "quarantine"), Events.TIME)));
        assertThat(1).isEqualTo(1);
    }
}
