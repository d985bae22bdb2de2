package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.AuditReport.Fault.Kind;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.KeptCheckpoints;
import io.mcpbridge.audit.verify.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An attacker without the key changes a record and recomputes the hashes after it, or removes whole files. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ForgedChainTest {
    @TempDir
    Path folder;

    private TestTrail trail;
    private List<Segment> segments;

    @BeforeEach
    void write() throws Exception {
        trail = TestTrail.inSegments(folder, "call-", 10);
        segments = trail.segments();
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void coverageEndsAtTheLastMatchingCheckpoint() throws Exception {
        var second = segments.get(1);
        forge(second, 0, 3);

        var report = trail.verify();

        assertThat(report.covered()).isEqualTo(second.first() - 1);
        assertThat(report.uncovered()).isEqualTo(3);
        assertThat(report.fault()).hasValueSatisfying(fault -> {
            assertThat(fault.sequence()).isEqualTo(second.first() + 3);
            assertThat(fault.message())
                    .contains("its hash is", "lies between record " + second.first() + " and this one");
        });
    }

    @Test
    void mismatchingCheckpointLocatesTheFault() throws Exception {
        var second = segments.get(1);
        var atCheckpoint = segments.get(2).first() - 1;
        forge(second, 1, Integer.MAX_VALUE);

        var report = trail.verify();

        assertThat(report.covered()).isEqualTo(second.first() - 1);
        assertThat(report.fault()).hasValueSatisfying(fault -> {
            assertThat(fault.sequence()).isEqualTo(atCheckpoint);
            assertThat(fault.message())
                    .contains("the chain was rewritten", "lies between record " + second.first() + " and this one");
        });
    }

    @Test
    void firstRecordHasItsOwnCheckpoint() throws Exception {
        forge(segments.get(0), 1, 2);

        var report = trail.verify();

        assertThat(report.covered()).isOne();
        assertThat(report.fault())
                .hasValueSatisfying(
                        fault -> assertThat(fault.message()).contains("lies between record 2 and this one"));
    }

    @Test
    void signedRecordsWithoutSegmentsAreMissing() throws Exception {
        removeSegments();

        assertThat(trail.verify().fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.MISSING);
            assertThat(fault.message()).contains("records 1 to 20 are missing");
        });
    }

    @Test
    void recordsAreMissingWithoutSegmentsAndKeys() throws Exception {
        removeSegments();

        var report = AuditVerifier.verify(trail.folder(), List.of());

        assertThat(report.fault())
                .hasValueSatisfying(fault -> assertThat(fault.message()).contains("all records are missing"));
    }

    @Test
    void rangeAfterTheEndIsMissing() throws Exception {
        assertThat(verify(new AuditVerifier.Range(5_000, 6_000)).fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.MISSING);
            assertThat(fault.message()).isEqualTo("there are no records 5000 to 6000: the trail ends with record 20");
        });
        assertThat(verify(new AuditVerifier.Range(21, Long.MAX_VALUE)).fault())
                .hasValueSatisfying(
                        fault -> assertThat(fault.message()).contains("there is no record 21, nor any after it"));
        assertThat(verify(new AuditVerifier.Range(20, 30)).holds()).isTrue();
    }

    @Test
    void rangeBeforeTheBeginningIsMissing() throws Exception {
        Files.delete(segments.get(0).file());
        var first = segments.get(1).first();

        assertThat(verify(new AuditVerifier.Range(1, 2)).fault())
                .hasValueSatisfying(fault -> assertThat(fault.message())
                        .isEqualTo("there are no records 1 to 2: the trail begins with record " + first));
    }

    private AuditReport verify(AuditVerifier.Range range) throws IOException {
        return AuditVerifier.verify(trail.folder(), trail.keys(), range, KeptCheckpoints.NONE);
    }

    private void removeSegments() throws IOException {
        for (var segment : segments) {
            Files.delete(segment.file());
        }
    }

    /** Changes the record on line {@code begin}, from 0, and recomputes that many hashes. */
    private void forge(Segment segment, int begin, int count) throws Exception {
        var lines = new ArrayList<>(Files.readAllLines(segment.file()));
        lines.set(begin, lines.get(begin).replaceFirst("call-", "CALL-"));
        for (int i = begin; i < lines.size() && i - begin < count; i++) {
            lines.set(i, Forger.withHash(lines.get(i), hashBefore(segment, lines, i)));
        }
        Files.writeString(segment.file(), String.join("\n", lines) + "\n");
    }

    private String hashBefore(Segment segment, List<String> lines, int line) throws Exception {
        if (line > 0) {
            return hashOf(lines.get(line - 1));
        }
        var before =
                Files.readAllLines(segments.get(segments.indexOf(segment) - 1).file());
        return hashOf(before.get(before.size() - 1));
    }

    private static String hashOf(String line) {
        return ParsedRecord.parse(line.getBytes(UTF_8)).head().hash();
    }
}
