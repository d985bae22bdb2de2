package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.AuditReport.Fault.Kind;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.KeptCheckpoints;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.audit.verify.VerificationKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Row I9 with the key: an attacker recreates and signs the trail, but cannot change the copy of its checkpoints. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class KeptCheckpointsTest {

    @TempDir
    Path folder;

    private TestTrail trail;
    private List<Segment> segments;
    private Path copy;

    @BeforeEach
    void write() throws Exception {
        trail = TestTrail.inSegments(folder, "call-", 20);
        segments = trail.segments();
        copy = folder.resolve("copy");
        Files.copy(trail.folder().resolve("checkpoints"), copy);
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void i9TrailThatMatchesTheCopyIsValid() throws Exception {
        assertThat(verify(AuditVerifier.Range.ALL).holds()).isTrue();

        try (var sink = trail.open()) {
            TestTrail.call(sink, "later");
        }

        assertThat(verify(AuditVerifier.Range.ALL).holds()).isTrue();
        assertThat(verify(new AuditVerifier.Range(1, 2)).holds()).isTrue();
    }

    @Test
    void i9ChangedAndResignedRecordIsDetectedByTheCopy() throws Exception {
        var changed = segments.get(1).first() + 1;
        var next = segments.get(2).first() - 1;
        forge(changed);
        assertThat(trail.verify().holds()).isTrue();

        var report = verify(AuditVerifier.Range.ALL);

        assertThat(report.fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.CHANGED);
            assertThat(fault.sequence()).isEqualTo(next);
            assertThat(fault.message())
                    .contains("the trail was rewritten: a checkpoint in 'copy' has the hash")
                    .endsWith("lies between record %d and this one"
                            .formatted(segments.get(1).first()));
        });
        assertThat(report.covered()).isEqualTo(segments.get(1).first() - 1);
    }

    @Test
    void i9ChangedRecordIsDetectedInAnyRange() throws Exception {
        forge(2);

        assertThat(verify(new AuditVerifier.Range(1, 2)).fault()).isPresent();
        assertThat(verify(new AuditVerifier.Range(segments.get(2).first(), Long.MAX_VALUE))
                        .fault())
                .isPresent();
    }

    @Test
    void i9TrailRestartedWithTheKeyIsDetected() throws Exception {
        empty(trail.folder());
        try (var sink = trail.open()) {
            for (int i = 0; i < 30; i++) {
                TestTrail.call(sink, "other-" + i);
            }
        }
        assertThat(trail.verify().holds()).isTrue();

        assertThat(verify(AuditVerifier.Range.ALL).fault())
                .hasValueSatisfying(fault -> assertThat(fault.message()).contains("the trail was rewritten"));
    }

    @Test
    void i9TruncationWithItsCheckpointsIsDetected() throws Exception {
        var kept = segments.get(2).first() - 1;
        for (var segment : segments.subList(2, segments.size())) {
            Files.delete(segment.file());
        }
        keepCheckpointsUpTo(kept);
        assertThat(trail.verify().holds()).isTrue();

        assertThat(verify(AuditVerifier.Range.ALL).fault())
                .hasValueSatisfying(fault -> assertThat(fault)
                        .returns(Kind.TRUNCATED, AuditReport.Fault::kind)
                        .returns(kept + 1, AuditReport.Fault::sequence));
    }

    @Test
    void i9LastCheckpointOfACopyNeedsNoLineEnd() throws Exception {
        var all = Files.readString(copy);
        Files.writeString(copy, all.stripTrailing());
        var last = segments.get(segments.size() - 1);
        Files.delete(last.file());
        keepCheckpointsUpTo(last.first() - 1);
        assertThat(trail.verify().holds()).isTrue();

        assertThat(verify(AuditVerifier.Range.ALL).fault())
                .hasValueSatisfying(fault -> assertThat(fault.kind()).isEqualTo(Kind.TRUNCATED));
        assertThat(KeptCheckpoints.read(copy).skipped()).isZero();
    }

    @Test
    void i9TruncatedLastCheckpointOfACopyIsSkipped() throws Exception {
        var all = Files.readString(copy).stripTrailing();
        var size = KeptCheckpoints.read(copy).size();

        for (int cut = 1; cut < 91; cut++) {
            Files.writeString(copy, all.substring(0, all.length() - cut));

            assertThat(KeptCheckpoints.read(copy).size()).as("%d cut", cut).isEqualTo(size - 1);
            assertThat(KeptCheckpoints.read(copy).skipped()).isEqualTo(5);
        }
        assertThat(verify(AuditVerifier.Range.ALL).holds()).isTrue();
    }

    @Test
    void i9RemovedTrailIsMissing() throws Exception {
        for (var segment : segments) {
            Files.delete(segment.file());
        }
        keepCheckpointsUpTo(0);
        assertThat(trail.verify().holds()).isTrue();

        assertThat(verify(AuditVerifier.Range.ALL).fault())
                .hasValueSatisfying(fault -> assertThat(fault.kind()).isEqualTo(Kind.TRUNCATED));
    }

    @Test
    void i9ReplacedKeyIsDetectedEvenWithItsPublicKey() throws Exception {
        for (var file : List.of("trail.key", "trail.pub")) {
            Files.delete(folder.resolve(file));
        }
        empty(trail.folder());
        try (var sink = trail.open()) {
            TestTrail.call(sink, "other");
        }

        assertThat(verify(AuditVerifier.Range.ALL).fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.BAD_SIGNATURE);
            assertThat(fault.message()).contains("one of another trail, or the key was replaced");
        });
    }

    @Test
    void i9ContradictingCopiesRevealARewrittenTrail() throws Exception {
        assertThat(verify(AuditVerifier.Range.ALL).holds()).isTrue();
        appendToCopy();
        assertThat(verify(AuditVerifier.Range.ALL).holds()).isTrue();

        forge(2);
        appendToCopy();

        assertThat(verify(AuditVerifier.Range.ALL).fault())
                .hasValueSatisfying(fault -> assertThat(fault.message())
                        .contains("two of the kept checkpoints have different hashes for record"));
    }

    @Test
    void copyWithoutComparableCheckpointsProvesNothing() throws Exception {
        var lines = Files.readAllLines(copy);
        Files.write(copy, lines.subList(0, 10));
        var report =
                verify(new AuditVerifier.Range(segments.get(segments.size() - 1).first(), Long.MAX_VALUE));

        assertThat(report.fault())
                .hasValueSatisfying(fault -> assertThat(fault.message()).contains("take a newer copy"));
    }

    @Test
    void halfACheckpointInACopyIsSkipped() throws Exception {
        var all = Files.readString(copy);
        Files.writeString(copy, all.substring(0, all.length() - 30) + all + "mcp-bridge-audit");

        assertThat(verify(AuditVerifier.Range.ALL).fault()).isEmpty();
        assertThat(KeptCheckpoints.read(copy).skipped()).isEqualTo(10);
        forge(2);
        assertThat(verify(AuditVerifier.Range.ALL).holds()).isFalse();
    }

    @Test
    void fileWithoutACheckpointIsRejected() throws Exception {
        assertThatThrownBy(() -> KeptCheckpoints.read(folder.resolve("none"))).isInstanceOf(IOException.class);
        for (var text :
                List.of("", "a\n".repeat(7), Files.readString(segments.get(0).file()))) {
            assertThatThrownBy(() -> KeptCheckpoints.read(Files.writeString(folder.resolve("odd"), text)))
                    .hasMessage("it has no whole checkpoint");
        }
    }

    private AuditReport verify(AuditVerifier.Range range) throws IOException {
        var keys = VerificationKey.read(folder.resolve("trail.pub"));
        return AuditVerifier.verify(trail.folder(), keys, range, KeptCheckpoints.read(copy));
    }

    private void forge(long sequence) throws Exception {
        new Forger(trail.folder()).change(sequence, line -> line.replaceFirst("call-", "CALL-"));
    }

    private static void empty(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private void appendToCopy() throws IOException {
        Files.write(copy, Files.readAllBytes(trail.folder().resolve("checkpoints")), StandardOpenOption.APPEND);
    }

    /** Leaves those of the trail up to the one for a record. */
    private void keepCheckpointsUpTo(long size) throws IOException {
        var file = trail.folder().resolve("checkpoints");
        var lines = Files.readAllLines(file);
        for (int at = 0; at < lines.size(); at += 5) {
            if (Long.parseLong(lines.get(at + 1)) > size) {
                Files.write(file, lines.subList(0, at));
                return;
            }
        }
    }
}
