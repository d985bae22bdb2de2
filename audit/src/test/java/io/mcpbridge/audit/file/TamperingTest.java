package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.AuditReport.Fault.Kind;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.Segment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Row I9: changes of a trail without the key are found, up to the last checkpoint. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TamperingTest {

    @TempDir
    Path folder;

    private TestTrail trail;
    private List<Segment> segments;

    @BeforeEach
    void write() throws Exception {
        trail = TestTrail.inSegments(folder, "call-", 6);
        segments = trail.segments();
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void i9EachFlippedByteIsDetected() throws Exception {
        try (var small = smallTrail()) {
            var file = small.segments().get(0).file();
            var bytes = Files.readAllBytes(file);
            for (int i = 0; i < bytes.length; i++) {
                var changed = bytes.clone();
                changed[i] ^= 1;
                Files.write(file, changed);

                assertThat(small.verify().holds()).as("byte %d", i).isFalse();
            }
        }
    }

    @Test
    void i9EachFlippedByteOfACheckpointIsDetectedOrLeavesRecordsUncovered() throws Exception {
        var file = trail.folder().resolve("checkpoints");
        var bytes = Files.readAllBytes(file);
        var lines = Files.readAllLines(file);
        var lastNote = bytes.length
                - String.join("\n", lines.subList(lines.size() - 5, lines.size()))
                        .getBytes(UTF_8)
                        .length
                - 1;
        for (int i = 0; i < bytes.length; i++) {
            var changed = bytes.clone();
            changed[i] ^= 1;
            Files.write(file, changed);

            var report = trail.verify();

            // Without its last line end a checkpoint counts as one that is being written.
            assertThat(report.holds() && report.uncovered() == 0)
                    .as("byte %d", i)
                    .isFalse();
            assertThat(report.holds() && i < lastNote).as("byte %d", i).isFalse();
        }
    }

    @Test
    void recordsAreVerifiedDespiteADamagedCheckpoint() throws Exception {
        var file = trail.folder().resolve("checkpoints");
        var lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(lines.size() - 2, "damaged");
        Files.write(file, lines);

        var report = trail.verify();

        assertThat(report.fault().orElseThrow().kind()).isEqualTo(Kind.BAD_SIGNATURE);
        assertThat(report.records()).isEqualTo(trail.records().size());
        assertThat(report.covered()).isPositive().isLessThan(report.last());
    }

    @Test
    void changedRecordBeforeADamagedCheckpointIsReportedFirst() throws Exception {
        var file = trail.folder().resolve("checkpoints");
        var checkpoints = new ArrayList<>(Files.readAllLines(file));
        checkpoints.set(checkpoints.size() - 2, "damaged");
        Files.write(file, checkpoints);
        var records = lines(segments.get(0));
        records.remove(0);

        var report = reportWith(segments.get(0), records);

        assertThat(report.fault().orElseThrow().kind()).isEqualTo(Kind.MISSING);
        assertThat(report.remarks()).anyMatch(remark -> remark.startsWith("beside that: BAD_SIGNATURE, checkpoints"));
    }

    @Test
    void i9EachDroppedLineIsDetected() throws Exception {
        for (var segment : segments) {
            var lines = lines(segment);
            for (int i = 0; i < lines.size(); i++) {
                var changed = new ArrayList<>(lines);
                changed.remove(i);

                assertThat(faultWith(segment, changed).kind()).isIn(Kind.MISSING, Kind.TRUNCATED);
            }
        }
    }

    @Test
    void i9EachRepeatedLineIsDetected() throws Exception {
        for (var segment : segments) {
            var lines = lines(segment);
            for (int i = 0; i < lines.size(); i++) {
                var changed = new ArrayList<>(lines);
                changed.add(i, lines.get(i));
                var isAddedBehindTheEnd = i == lines.size() - 1 && !segment.equals(last());

                var report = reportWith(segment, changed);

                // Behind the last record of a sealed segment nothing counts.
                assertThat(report.holds()).as("%s line %d", segment.name(), i).isEqualTo(isAddedBehindTheEnd);
            }
        }
    }

    @Test
    void i9SwappedLinesAreDetected() throws Exception {
        for (var segment : segments) {
            var lines = lines(segment);
            for (int i = 1; i < lines.size(); i++) {
                var changed = new ArrayList<>(lines);
                Collections.swap(changed, i - 1, i);

                assertThat(faultWith(segment, changed).kind()).isEqualTo(Kind.MISSING);
            }
        }
    }

    @Test
    void i9EachTruncationIsDetected() throws Exception {
        try (var small = smallTrail()) {
            var file = small.segments().get(0).file();
            for (var size = Files.size(file) - 1; size >= 0; size--) {
                try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(size);
                }

                assertThat(small.verify().fault()).as("size %d", size).isPresent();
            }
        }
    }

    @Test
    void i9FaultHasItsPlace() throws Exception {
        var segment = segments.get(0);
        var lines = lines(segment);
        lines.set(2, lines.get(2).replace("\"echo\"", "\"Echo\""));

        var fault = faultWith(segment, lines);

        assertThat(fault.kind()).isEqualTo(Kind.CHANGED);
        assertThat(fault.file()).isEqualTo(segment.name());
        assertThat(fault.line()).isEqualTo(3);
        assertThat(fault.sequence()).isEqualTo(3);
        assertThat(fault.message()).contains("its hash is");
    }

    @Test
    void segmentThatIsALinkIsDetected() throws Exception {
        var segment = segments.get(1);
        var moved = Files.move(segment.file(), folder.resolve("elsewhere"));
        Files.createSymbolicLink(segment.file(), moved);

        assertThat(trail.verify().fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.CHANGED);
            assertThat(fault.file()).isEqualTo(segment.name());
            assertThat(fault.message()).contains("the segment is a symbolic link");
        });
    }

    @Test
    void segmentThatIsAFolderIsDetected() throws Exception {
        Files.delete(last().file());
        Files.createDirectory(last().file());

        assertThat(trail.verify().fault()).hasValueSatisfying(fault -> {
            assertThat(fault.file()).isEqualTo(last().name());
            assertThat(fault.message()).contains("the segment is a special file");
        });
    }

    @Test
    void removedSegmentsAreDetected() throws Exception {
        Files.delete(segments.get(0).file());

        assertThat(trail.verify().fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.MISSING);
            assertThat(fault.message()).contains("no note says that those before were removed");
        });
    }

    @Test
    void rewrittenChainIsDetected() throws Exception {
        try (var other = TestTrail.inSegments(Files.createDirectory(folder.resolve("other")), "CALL-", 6)) {
            for (var segment : segments) {
                Files.delete(segment.file());
            }
            for (var segment : other.segments()) {
                Files.copy(segment.file(), trail.folder().resolve(segment.name()));
            }
        }

        assertThat(trail.verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault.message()).contains("the chain was rewritten"));
    }

    @Test
    void checkpointsOfAnotherKeyAreDetected() throws Exception {
        try (var other = TestTrail.in(Files.createDirectory(folder.resolve("other")))) {
            other.open().close();

            var report = AuditVerifier.verify(trail.folder(), other.keys());

            assertThat(report.fault())
                    .hasValueSatisfying(fault -> assertThat(fault.kind()).isEqualTo(Kind.BAD_SIGNATURE));
        }
    }

    @Test
    void nothingIsCoveredWithoutKeys() throws Exception {
        var report = AuditVerifier.verify(trail.folder(), List.of());

        assertThat(report.holds()).isTrue();
        assertThat(report.covered()).isZero();
        assertThat(report.uncovered()).isEqualTo(12);
    }

    /** One record, since each signature check is slow. */
    private TestTrail smallTrail() throws IOException {
        var small = TestTrail.in(Files.createDirectory(folder.resolve("small")));
        try (var sink = small.open()) {
            TestTrail.enter(sink, "1").join();
        }
        return small;
    }

    private Segment last() {
        return segments.get(segments.size() - 1);
    }

    private static List<String> lines(Segment segment) throws IOException {
        return new ArrayList<>(Files.readAllLines(segment.file()));
    }

    private AuditReport.Fault faultWith(Segment segment, List<String> lines) throws IOException {
        return reportWith(segment, lines).fault().orElseThrow();
    }

    private AuditReport reportWith(Segment segment, List<String> lines) throws IOException {
        var bytes = Files.readAllBytes(segment.file());
        Files.write(segment.file(), (String.join("\n", lines) + "\n").getBytes(UTF_8));
        try {
            return trail.verify();
        } finally {
            Files.write(segment.file(), bytes);
        }
    }
}
