package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.VerificationKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Row G6: the trail of a daemon verifies, and every change of it is detected. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class TamperedTrailTest {
    private static final int CALLS = 5;

    @RegisterExtension
    final DaemonFixture fixture;

    private final Path trail;
    private final Path segment;

    TamperedTrailTest() throws IOException {
        fixture = new DaemonFixture();
        trail = fixture.folder.resolve("audit");
        segment = trail.resolve("00000000000000000001.jsonl");
    }

    @BeforeEach
    void callAndEnd() throws IOException {
        fixture.unix("one", new ToolScript("one", "echo"));
        fixture.bridge("\"audit\": {\"level\": \"arguments\", \"path\": \"%s\"}, ".formatted(trail));
        fixture.start();
        var client = fixture.client("ada");
        for (int i = 0; i < CALLS; i++) {
            client.call("one__echo", "{\"n\":%d}".formatted(i));
        }
        fixture.running().close();
    }

    @Test
    void g6RecordsOfAnEndedDaemonAreVerifiedByItsKey() throws IOException {
        var report = verify();

        assertThat(report.fault()).isEmpty();
        assertThat(report.covered()).isEqualTo(2 * CALLS);
        assertThat(report.uncovered()).isZero();
    }

    @Test
    void g6ChangedCallIsDetectedWithItsPlace() throws IOException {
        var lines = Files.readString(segment);
        assertThat(lines).contains("{\\\"n\\\":2}");

        Files.writeString(segment, lines.replace("{\\\"n\\\":2}", "{\\\"n\\\":7}"));

        assertThat(verify().fault()).hasValueSatisfying(fault -> {
            assertThat(fault.file()).isEqualTo("00000000000000000001.jsonl");
            assertThat(fault.sequence()).isEqualTo(5);
        });
    }

    @Test
    void g6MissingLastCallIsDetected() throws IOException {
        var lines = Files.readAllLines(segment);

        Files.write(segment, lines.subList(0, lines.size() - 2));

        assertThat(verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault.message()).contains("10 records"));
    }

    private AuditReport verify() throws IOException {
        return AuditVerifier.verify(trail, VerificationKey.read(fixture.folder.resolve("audit.pub")));
    }
}
