package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.cli.trail.RealTrail;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Verifies trails that the real sink wrote, as they are and tampered with. */
@Timeout(60)
class AuditVerifyTest {
    private static final String SEGMENT = "00000000000000000001.jsonl";

    @TempDir
    Path temporary;

    private Path folder;

    @BeforeEach
    void write() {
        folder = temporary.resolve("trail");
        try (var trail = RealTrail.in(folder)) {
            trail.calls("c", 5);
        }
    }

    @Test
    void unchangedTrailIsValid() {
        var run = verify();

        assertThat(run.out())
                .contains("up to record 10 by a signed checkpoint", "ok records 1 to 10 are as they were written");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void folderCanBeGivenAsAnOption() {
        var run = RunCommand.of("audit", "verify", "--dir", folder.toString());

        assertThat(run.out()).contains("ok records 1 to 10 are as they were written");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void folderGivenTwiceIsAUsageError() {
        var run = RunCommand.of("audit", "verify", "--dir", "one", "other");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("the folder is 'other' and '--dir' is 'one'; name it once");
    }

    @Test
    void i9FlippedByteIsDetectedWithItsPlace() throws IOException {
        tamper(lines -> lines.set(3, lines.get(3).replace("\"attempts\":1", "\"attempts\":0")));

        var run = verify();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out()).contains("FAILED changed: '" + SEGMENT + "', line 4, record 4: its hash is");
    }

    @Test
    void i9MissingLineIsDetected() throws IOException {
        tamper(lines -> lines.remove(5));

        assertThat(verify().out()).contains("FAILED missing: '" + SEGMENT + "', line 6, record 6");
    }

    @Test
    void i9SwappedLinesAreDetected() throws IOException {
        tamper(lines -> Collections.swap(lines, 1, 2));

        assertThat(verify().out()).contains("FAILED missing: '" + SEGMENT + "', line 2, record 2");
    }

    @Test
    void i9TruncationIsDetected() throws IOException {
        tamper(lines -> lines.subList(8, 10).clear());

        var run = verify();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out()).contains("FAILED truncated", "covers 10 records", "ends with record 8");
    }

    @Test
    void verificationFailsWithoutAPublicKey() throws IOException {
        Files.delete(temporary.resolve("trail.pub"));

        var run = verify();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out()).contains("none: '", "FAILED the hashes fit, but without a public key");
    }

    @Test
    void verificationFailsWithoutCheckpoints() throws IOException {
        Files.delete(folder.resolve("checkpoints"));

        var run = verify();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out()).contains("FAILED the hashes fit, but there is no checkpoint", "they were taken away");
    }

    @Test
    void missingCheckpointsOfEndedSegmentsAreDetected() throws IOException {
        folder = temporary.resolve("many");
        try (var trail = RealTrail.rotatingIn(folder)) {
            trail.calls("c", 20);
        }
        keepCheckpoints(1);

        var run = verify();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out())
                .contains("have no checkpoint, in a segment that ended")
                .doesNotContain("though one is signed");
    }

    @Test
    void missingCheckpointsOfAllRecordsAreDetected() throws IOException {
        keepCheckpoints(1);

        assertThat(verify().out()).contains("no checkpoint covers a record, though one is signed with the first");
    }

    /** Takes all but the first ones away. */
    private void keepCheckpoints(int count) throws IOException {
        var file = folder.resolve("checkpoints");
        Files.write(file, Files.readAllLines(file).subList(0, 5 * count));
    }

    @Test
    void deletedSegmentsAreReportedMissing() throws IOException {
        Files.delete(folder.resolve(SEGMENT));

        var run = verify();
        var report = Json.parse(verify("--json").out()).asMap();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out()).contains("FAILED missing: 'checkpoints'", "records 1 to 10 are missing");
        assertThat(report).containsEntry("holds", false);
        assertThat(String.valueOf(report.get("fault"))).contains("kind=missing");
    }

    @Test
    void folderWithoutATrailIsAUsageError() throws IOException {
        Files.delete(folder.resolve(SEGMENT));
        Files.delete(folder.resolve("checkpoints"));

        var run = verify();

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("it holds no segment, and no checkpoint of any record");
    }

    @Test
    void verificationOfATrailWithoutRecordsFails() {
        folder = temporary.resolve("empty");
        RealTrail.in(folder).close();

        var run = verify();

        assertThat(run.out()).contains("checked     0 records", "FAILED the trail holds no record");
        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
    }

    @Test
    void verificationOfMissingRecordsFails() {
        var run = verify("--from", "5000", "--to", "6000");

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out()).contains("FAILED missing", "there are no records 5000 to 6000: the trail ends with");
    }

    @Test
    void verificationAfterTheLastCheckpointFails() {
        try (var trail = RealTrail.in(folder)) {
            trail.calls("d", 2);

            var run = verify("--from", "12");

            assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
            assertThat(run.out()).contains("FAILED the hashes fit, but no checkpoint covers record 12");
        }
    }

    @Test
    void copyOfTheCheckpointsConfirmsItsTrail() throws IOException {
        var copy = Files.copy(folder.resolve("checkpoints"), temporary.resolve("copy"));

        var run = verify("--checkpoints", copy.toString());

        assertThat(run.out()).contains("kept        3 checkpoints up to record 10, from '" + copy + "': they fit");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(Json.parse(verify("--checkpoints", copy.toString(), "--json").out())
                        .asMap())
                .containsEntry("kept", 10L);
    }

    @Test
    void i9RewrittenTrailIsDetectedByACopyOfItsCheckpoints() throws IOException {
        var copy = Files.copy(folder.resolve("checkpoints"), temporary.resolve("copy"));
        Files.delete(folder.resolve(SEGMENT));
        Files.delete(folder.resolve("checkpoints"));
        Files.delete(folder.resolve("resume"));
        try (var trail = RealTrail.in(folder)) {
            trail.calls("other", 7);
        }
        assertThat(verify().exitCode()).isEqualTo(ExitCode.OK);

        var run = verify("--checkpoints", copy.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out())
                .contains(
                        "covered     nothing",
                        "FAILED changed: '" + SEGMENT + "', line 1, record 1: the trail was rewritten",
                        "lies between record 1 and this one")
                .doesNotContain("they fit");
    }

    @Test
    void fileThatIsNotACopyOfCheckpointsIsAUsageError() {
        var odd = verify("--checkpoints", folder.resolve(SEGMENT).toString());
        var missing = verify("--checkpoints", temporary + "/none");

        assertThat(List.of(odd.exitCode(), missing.exitCode())).containsOnly(ExitCode.USAGE);
        assertThat(odd.err()).contains("is no copy of the file 'checkpoints' of a trail");
        assertThat(missing.err()).contains("the kept checkpoints cannot be read from", "none");
    }

    @Test
    void keyOfAnotherTrailDoesNotMatch() throws IOException {
        var other = temporary.resolve("other");
        RealTrail.in(other).close();

        var run = RunCommand.of("audit", "verify", folder.toString(), "--pubkey", other + ".pub");

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out()).contains("FAILED bad signature: 'checkpoints'");
    }

    @Test
    void missingKeyIsAUsageError() {
        var run = RunCommand.of("audit", "verify", folder.toString(), "--pubkey", temporary + "/none.pub");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("none.pub", "--pubkey");
    }

    @Test
    void fileThatIsNotAKeyIsAUsageError() {
        var run = RunCommand.of(
                "audit",
                "verify",
                folder.toString(),
                "--pubkey",
                folder.resolve(SEGMENT).toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("holds no public key of a trail");
    }

    @Test
    void missingTrailIsAUsageError() {
        var run = RunCommand.of("audit", "verify", temporary.resolve("none").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("there is no audit trail at");
    }

    @Test
    void reportIsAvailableAsJson() throws IOException {
        tamper(lines -> lines.remove(5));

        var report = Json.parse(verify("--json").out()).asMap();

        assertThat(report).containsEntry("holds", false).containsEntry("records", 5L);
        assertThat(String.valueOf(report.get("fault"))).contains("kind=missing", "line=6", "sequence=6");
    }

    @Test
    void trailInUseReportsUncoveredRecords() {
        try (var trail = RealTrail.in(folder)) {
            trail.calls("d", 2);

            var run = verify();

            assertThat(run.out()).contains("up to record 10 by a signed checkpoint; the last 4 could still be");
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void rangeIsVerifiedWithoutOtherRecords() throws IOException {
        try (var trail = RealTrail.in(folder)) {
            trail.calls("d", 2);
        }
        tamper(lines -> lines.set(11, lines.get(11).replace("\"attempts\":1", "\"attempts\":0")));

        assertThat(verify("--to", "9").out()).contains("ok records 1 to 10 are as they were written");
        assertThat(verify("--from", "11").exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
    }

    @Test
    void segmentsBeforeTheRangeAreNotRead() throws IOException {
        folder = temporary.resolve("many");
        try (var trail = RealTrail.rotatingIn(folder)) {
            trail.calls("c", 20);
        }
        tamper(lines -> lines.set(0, "garbage"));

        assertThat(verify("--from", "30").out()).contains("were not asked for", "ok records ", " to 40 are as");
        assertThat(verify().out()).contains("FAILED changed: '" + SEGMENT + "', line 1, record 1");
    }

    @Test
    void invalidRangeIsAUsageError() {
        var run = verify("--from", "7", "--to", "3");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("'--from' is 7 and '--to' is 3");
    }

    private RunCommand verify(String... options) {
        var words = new ArrayList<>(List.of("audit", "verify", folder.toString()));
        words.addAll(List.of(options));
        return RunCommand.of(words.toArray(String[]::new));
    }

    private void tamper(Consumer<List<String>> change) throws IOException {
        var file = folder.resolve(SEGMENT);
        var lines = new ArrayList<>(Files.readAllLines(file));
        change.accept(lines);
        Files.writeString(file, String.join("\n", lines) + "\n");
    }
}
