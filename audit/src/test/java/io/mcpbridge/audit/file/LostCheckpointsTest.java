package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.verify.AuditReport.Fault.Kind;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.KeptCheckpoints;
import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Row I9: changes to the checkpoints of a trail without the key do not make the bridge sign what stands there. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LostCheckpointsTest {

    @TempDir
    Path folder;

    private TestTrail trail;
    private Path checkpoints;

    @BeforeEach
    void write() {
        trail = TestTrail.in(folder).with("segment-size", "4KiB");
        for (int i = 0; i < 3; i++) {
            call("call-" + i);
        }
        checkpoints = trail.folder().resolve("checkpoints");
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void i9RequiredTrailDoesNotContinueWithoutItsCheckpoints() throws Exception {
        Files.writeString(checkpoints, "");

        assertThatThrownBy(() -> trail.with("mode", "required").open())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the audit trail in '%s' has records, but no checkpoint", trail.folder())
                .hasMessageContaining("start once with 'mode' 'best-effort'");

        assertThat(checkpoints).isEmptyFile();
    }

    @Test
    void startRejectedForALostKeyCreatesNoKey() throws Exception {
        Files.delete(folder.resolve("trail.key"));
        Files.delete(folder.resolve("trail.pub"));

        assertThatThrownBy(() -> trail.with("mode", "required").open())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has records, but no checkpoint that", "trail.key");

        assertThat(folder.resolve("trail.key")).doesNotExist();
        assertThat(folder.resolve("trail.pub")).doesNotExist();
    }

    @Test
    void damagedKeyIsReported() throws Exception {
        Files.writeString(folder.resolve("trail.key"), "abcde");

        assertThatThrownBy(() -> trail.open()).hasMessageContaining("it is damaged, or not a key in the form");
    }

    @Test
    void i9TrailThatContinuesWithoutItsCheckpointsHasANote() throws Exception {
        Files.delete(checkpoints);

        call("after");
        trail.with("mode", "required");
        call("required");

        assertThat(trail.ids()).contains("checkpoints-lost", "after-exit", "required-exit");
        assertThat(trail.verify().fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.MISSING);
            assertThat(fault.sequence()).isEqualTo(7);
            assertThat(fault.message()).contains("the checkpoints of records 1 to 6 were missing");
        });
    }

    @Test
    void recordsAfterTheLossCanBeVerifiedSeparately() throws Exception {
        Files.delete(checkpoints);
        for (int i = 0; i < 10; i++) {
            call("after-" + i);
        }

        var range = new AuditVerifier.Range(20, Long.MAX_VALUE);
        var report = AuditVerifier.verify(trail.folder(), trail.keys(), range, KeptCheckpoints.NONE);

        assertThat(report.holds()).isTrue();
        assertThat(report.uncovered()).isZero();
    }

    @Test
    void i9ForgedCheckpointAtTheEndHidesNoOthers() throws Exception {
        append(Files.readString(checkpoints).substring(0, noteLength()).replace("\n0\n", "\n1000000\n"));
        cutTrail();

        call("after");

        assertThat(details("recovered")).contains("checkpoint-not-ours=", "missing=");
        assertThat(trail.ids()).doesNotContain("checkpoints-lost");
    }

    @Test
    void i9RepeatedCheckpointHidesNoOthers() throws Exception {
        append(Files.readString(checkpoints).substring(0, noteLength()));
        cutTrail();

        call("after");

        assertThat(details("recovered")).contains("missing=");
    }

    @Test
    void i9CopyOfTheCheckpointsRevealsRewrittenRecords() throws Exception {
        var kept = Files.readString(checkpoints);
        trail.keepCheckpoints(1);
        for (var segment : trail.segments()) {
            Files.delete(segment.file());
        }
        Files.delete(trail.folder().resolve("resume"));
        for (int i = 0; i < 3; i++) {
            call("forged-" + i);
        }
        assertThat(trail.verify().holds()).isTrue();

        Files.writeString(checkpoints, kept);

        assertThat(trail.verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault.message()).contains("the chain was rewritten"));
    }

    @Test
    void i9MissingCheckpointsOfEndedSegmentsAreAFault() throws Exception {
        writeSegments();
        trail.keepCheckpoints(2);

        assertThat(trail.verify().fault()).hasValueSatisfying(fault -> {
            assertThat(fault.kind()).isEqualTo(Kind.MISSING);
            assertThat(fault.file()).isEqualTo("checkpoints");
            assertThat(fault.message()).contains("have no checkpoint, in a segment that ended");
        });
    }

    @Test
    void i9StartNotesEndedSegmentsWithoutACheckpoint() throws Exception {
        writeSegments();
        trail.keepCheckpoints(2);
        Files.delete(trail.folder().resolve("resume"));

        trail.with("mode", "required");
        call("after");

        assertThat(details("checkpoints-lost")).contains("in a segment that ended");
        assertThat(trail.verify().fault())
                .hasValueSatisfying(
                        fault -> assertThat(fault.message()).contains("were missing when the trail was opened here"));
    }

    @Test
    void i9CurrentSegmentMayLackItsCheckpoint() throws Exception {
        writeSegments();
        var segments = trail.segments();
        cutCheckpointsTo(segments.get(segments.size() - 1).first() - 1);

        assertThat(trail.verify().holds()).isTrue();
        trail.open().close();

        assertThat(trail.ids()).doesNotContain("checkpoints-lost");
        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void halfACheckpointAtTheEndIsARemark() throws Exception {
        append(Files.readString(checkpoints).substring(0, 20));

        assertThat(trail.verify().holds()).isTrue();
        assertThat(trail.verify().remarks()).singleElement().asString().contains("ends with half a checkpoint");
        call("after");

        assertThat(details("recovered")).contains("torn-checkpoint");
        assertThat(trail.verify().remarks()).isEmpty();
    }

    @Test
    void emptyTrailOfAStoppedWriterContinues() throws Exception {
        try (var empty = TestTrail.in(folder.resolve("empty")).with("mode", "required")) {
            empty.open().close();
            Files.delete(empty.folder().resolve("resume"));

            empty.open().close();

            assertThat(empty.records()).isEmpty();
            assertThat(empty.verify().holds()).isTrue();
        }
    }

    @Test
    void unsignedTrailContinuesAndIsSigned() throws Exception {
        try (var killed = TestTrail.in(folder.resolve("killed")).with("mode", "required")) {
            try (var sink = killed.open()) {
                TestTrail.call(sink, "1");
            }
            killed.keepCheckpoints(1);
            Files.delete(killed.folder().resolve("resume"));

            try (var sink = killed.open()) {
                assertThat(sink.fault()).isEmpty();
                assertThat(killed.verify().uncovered()).isZero();
            }

            assertThat(killed.ids()).containsExactly("1-enter", "1-exit");
        }
    }

    private void writeSegments() {
        try (var sink = trail.open()) {
            for (int i = 0; i < 12; i++) {
                TestTrail.call(sink, "more-" + i);
            }
        }
    }

    private void cutCheckpointsTo(long sequence) throws IOException {
        var lines = Files.readAllLines(checkpoints);
        var end = 0;
        while (Long.parseLong(lines.get(end + 1)) <= sequence) {
            end += 5;
        }
        trail.keepCheckpoints(end / 5);
    }

    /** Takes the last records away, which the checkpoints vouch for. */
    private void cutTrail() throws IOException {
        var segment = trail.folder().resolve("00000000000000000001.jsonl");
        var lines = Files.readAllLines(segment);
        Files.write(segment, lines.subList(0, 2));
        Files.delete(trail.folder().resolve("resume"));
    }

    private int noteLength() throws IOException {
        return String.join("\n", Files.readAllLines(checkpoints).subList(0, 5)).length() + 1;
    }

    private void append(String text) throws IOException {
        Files.write(checkpoints, text.getBytes(UTF_8), StandardOpenOption.APPEND);
    }

    private String details(String kind) throws IOException {
        return trail.records().stream()
                .filter(line -> line.text("kind").orElse("").equals(kind))
                .map(line -> String.valueOf(line.data().get("details")))
                .findFirst()
                .orElse("");
    }

    private void call(String id) {
        try (var sink = trail.open()) {
            TestTrail.call(sink, id);
        }
    }
}
