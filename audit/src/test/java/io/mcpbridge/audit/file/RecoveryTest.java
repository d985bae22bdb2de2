package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.spi.AuditSink;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a sink makes of a trail that its last writer did not leave in peace. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RecoveryTest {

    @TempDir
    Path folder;

    private TestTrail trail;

    @BeforeEach
    void prepare() {
        trail = TestTrail.in(folder).with("mode", "required").with("segment-size", "4KiB");
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void openCallEndsInDoubt() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.enter(sink, "open").join();
            TestTrail.call(sink, "whole");
        }

        trail.open().close();

        assertThat(trail.ids()).containsExactly("open-enter", "whole-enter", "whole-exit", "recovered", "open-exit");
        var exit = last();
        assertThat(exit.data()).containsEntry("inDoubt", true).containsEntry("delivery", "UNKNOWN");
        assertThat(exit.text("tool")).hasValue("echo");
        assertThat(trail.verify().fault()).isEmpty();
    }

    @Test
    void openCallEndsInDoubtOnce() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.enter(sink, "open").join();
        }

        trail.open().close();
        trail.open().close();

        assertThat(trail.ids()).containsExactly("open-enter", "recovered", "open-exit");
    }

    @Test
    void openCallOfAnOlderSegmentIsFound() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.enter(sink, "open").join();
            call(sink, 20);
        }

        trail.open().close();

        assertThat(Segment.in(trail.folder())).hasSizeGreaterThan(2);
        assertThat(trail.ids()).contains("open-exit");
    }

    @Test
    void tornTailIsTruncatedAndKept() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
        }
        append(lastSegment(), "{\"data\":{\"torn");

        trail.open().close();

        assertThat(trail.ids()).containsExactly("1-enter", "1-exit", "recovered");
        assertThat(lastSegment().file().resolveSibling(lastSegment().name() + ".torn"))
                .hasContent("{\"data\":{\"torn");
        assertThat(trail.verify().fault()).isEmpty();
    }

    @Test
    void coveredRecordsAreNeverTruncated() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
        }
        var before = Files.readString(lastSegment().file());
        Files.writeString(lastSegment().file(), before.replace("1-exit", "1-EXIT"));
        Files.delete(trail.folder().resolve("resume"));

        try (var sink = trail.open()) {
            TestTrail.call(sink, "2");
        }

        assertThat(Segment.in(trail.folder()).get(0).file()).hasContent(before.replace("1-exit", "1-EXIT"));
        assertThat(trail.ids()).contains("recovered", "2-enter", "2-exit");
        assertThat(trail.verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault.sequence()).isEqualTo(2));
    }

    @Test
    void nothingIsAppendedAfterADamagedLine() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
        }
        var damaged = Files.readString(lastSegment().file()).replaceFirst("\\n\\z", "x");
        Files.writeString(lastSegment().file(), damaged);

        try (var sink = trail.open()) {
            TestTrail.call(sink, "2");
        }

        var segments = Segment.in(trail.folder());
        assertThat(segments.get(0).file()).hasContent(damaged);
        assertThat(segments.get(1).file()).content().contains("recovered", "2-enter", "2-exit");
        assertThat(trail.verify().fault()).isPresent();
    }

    @Test
    void trailTruncatedBeforeItsCheckpointContinuesAndTheLossIsDetected() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
        }
        try (var channel = FileChannel.open(lastSegment().file(), StandardOpenOption.WRITE)) {
            channel.truncate(Files.readAllLines(lastSegment().file()).get(0).length() + 1);
        }

        try (var sink = trail.open()) {
            TestTrail.call(sink, "2");
        }

        assertThat(trail.ids()).contains("1-enter", "recovered", "2-enter", "2-exit");
        assertThat(trail.verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault.kind()).isEqualTo(AuditReport.Fault.Kind.MISSING));
    }

    @Test
    void damageAfterTheLastCheckpointAffectsNoLaterRecord() throws Exception {
        try (var sink = trail.open()) {
            call(sink, 3);
        }
        forgetCheckpoints();
        var damaged = Files.readString(lastSegment().file()).replace("call-1-enter", "call-1-ENTER");
        Files.writeString(lastSegment().file(), damaged);

        trail.open().close();

        assertThat(Segment.in(trail.folder()).get(0).file()).hasContent(damaged);
        assertThat(trail.verify().fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(AuditReport.Fault.Kind.CHANGED);
            assertThat(fault.sequence()).isEqualTo(3);
        });
    }

    @Test
    void changedLastRecordIsKeptAndDetected() throws Exception {
        try (var sink = trail.open()) {
            call(sink, 2);
        }
        forgetCheckpoints();
        var damaged = Files.readString(lastSegment().file()).replace("call-1-exit", "call-1-EXIT");
        Files.writeString(lastSegment().file(), damaged);

        trail.open().close();

        assertThat(Segment.in(trail.folder()).get(0).file()).hasContent(damaged);
        assertThat(trail.verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault.sequence()).isEqualTo(4));
    }

    @Test
    void segmentAfterATruncatedOneIsKept() throws Exception {
        try (var sink = trail.open()) {
            call(sink, 12);
        }
        forgetCheckpoints();
        var segments = Segment.in(trail.folder());
        var last = Files.readString(lastSegment().file());
        cutLastLine(segments.get(segments.size() - 2));

        trail.open().close();
        try (var sink = trail.open()) {
            TestTrail.call(sink, "later");
        }

        assertThat(segments.get(segments.size() - 1).file()).hasContent(last);
        assertThat(trail.ids()).contains("call-11-exit", "later-enter", "later-exit");
        assertThat(trail.verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault.kind()).isEqualTo(AuditReport.Fault.Kind.MISSING));
    }

    @Test
    void halfALineAfterATruncatedSegmentIsNotContinued() throws Exception {
        try (var sink = trail.open()) {
            call(sink, 12);
        }
        forgetCheckpoints();
        var segments = Segment.in(trail.folder());
        cutLastLine(segments.get(segments.size() - 2));
        Files.writeString(lastSegment().file(), "{\"data\":{\"torn");

        try (var sink = trail.open()) {
            call(sink, 12);
        }

        assertThat(trail.ids()).contains("call-11-enter", "call-11-exit");
        assertThat(trail.verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault.message()).contains("the checkpoints of records"));
    }

    @Test
    void onlyRecordsAfterTheLastCheckpointAreRead() throws Exception {
        try (var sink = trail.open()) {
            call(sink, 20);
        }
        var oldest = Segment.in(trail.folder()).get(0).file();
        Files.writeString(oldest, "not read at a start");

        trail.open().close();

        assertThat(trail.log.lines()).noneMatch(line -> line.contains("not ended regularly"));
        assertThat(Files.readString(oldest)).isEqualTo("not read at a start");
    }

    @Test
    void allRecordsAreReadWithoutAResumeFile() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.enter(sink, "open").join();
            call(sink, 20);
        }
        Files.delete(trail.folder().resolve("resume"));

        trail.open().close();

        assertThat(trail.ids()).contains("open-exit").doesNotHaveDuplicates();
        assertThat(trail.verify().fault()).isEmpty();
    }

    @Test
    void allRecordsAreReadWithAnOutdatedOrDamagedResumeFile() throws Exception {
        var resume = trail.folder().resolve("resume");
        try (var sink = trail.open()) {
            TestTrail.enter(sink, "open").join();
        }
        Files.copy(resume, folder.resolve("older"));
        try (var sink = trail.open()) {
            call(sink, 20);
        }
        Files.copy(folder.resolve("older"), resume, StandardCopyOption.REPLACE_EXISTING);
        trail.open().close();
        Files.writeString(resume, "damaged");
        trail.open().close();

        assertThat(trail.ids()).doesNotHaveDuplicates();
        assertThat(trail.ids().stream().filter("open-exit"::equals)).hasSize(1);
        assertThat(trail.verify().fault()).isEmpty();
    }

    @Test
    void tornCheckpointIsOverwritten() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
        }
        Files.writeString(trail.folder().resolve("checkpoints"), "mcp-bridge-audit-half\n7", StandardOpenOption.APPEND);

        try (var sink = trail.open()) {
            TestTrail.call(sink, "2");
        }

        assertThat(trail.verify().fault()).isEmpty();
        assertThat(trail.verify().uncovered()).isZero();
    }

    private static void call(AuditSink sink, int calls) {
        for (int i = 0; i < calls; i++) {
            TestTrail.call(sink, "call-" + i);
        }
    }

    private ParsedRecord last() throws IOException {
        var records = trail.records();
        return records.get(records.size() - 1);
    }

    private Segment lastSegment() throws IOException {
        var segments = Segment.in(trail.folder());
        return segments.get(segments.size() - 1);
    }

    /** As if everything had been written since the last checkpoint. */
    private void forgetCheckpoints() throws IOException {
        trail.keepCheckpoints(1);
        Files.delete(trail.folder().resolve("resume"));
    }

    private static void cutLastLine(Segment segment) throws IOException {
        var lines = Files.readAllLines(segment.file());
        Files.write(segment.file(), lines.subList(0, lines.size() - 1));
    }

    private static void append(Segment segment, String text) throws IOException {
        Files.write(segment.file(), text.getBytes(UTF_8), StandardOpenOption.APPEND);
    }
}
