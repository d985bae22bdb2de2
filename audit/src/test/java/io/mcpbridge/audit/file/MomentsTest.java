package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When records reach the device, and when they are vouched for. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MomentsTest {
    private static final int LINES_OF_A_CHECKPOINT = 5;
    private static final int AT_THE_BEGINNING = 2;

    @TempDir
    Path folder;

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final FaultyDisk disk = new FaultyDisk();
    private TestTrail trail;

    @BeforeEach
    void prepare() {
        trail = TestTrail.in(folder).with(disk).with(time).begun();
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void bestEffortCompletesBeforeTheSync() {
        try (var sink = trail.open()) {
            var before = disk.syncs();
            TestTrail.call(sink, "1");
            assertThat(disk.syncs()).isEqualTo(before);
            time.awaitAlarms(2);
            time.advance(Duration.ofMillis(100));

            Eventually.holds("a sync", () -> disk.syncs() == before + 1);
        }
    }

    @Test
    void requiredCompletesAfterTheSync() {
        trail.with("mode", "required");

        try (var sink = trail.open()) {
            var before = disk.syncs();
            TestTrail.call(sink, "1");

            assertThat(disk.syncs()).isEqualTo(before + 2);
        }
    }

    @Test
    void firstRecordOfATrailIsSignedAtOnce() throws Exception {
        try (var fresh = TestTrail.in(folder.resolve("fresh")).with(disk).with(time);
                var sink = fresh.open()) {
            TestTrail.enter(sink, "1").join();

            Eventually.holds("a checkpoint", () -> checkpoints(fresh) == 2);
            assertThat(fresh.verify().covered()).isOne();
        }
    }

    @Test
    void recordsAreSignedAfterOneMinute() {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
            time.awaitAlarms(2);
            time.advance(Duration.ofSeconds(60));

            Eventually.holds("a checkpoint", () -> checkpoints() == AT_THE_BEGINNING + 1);
        }
    }

    @Test
    void everyThousandRecordsAreSigned() {
        try (var sink = trail.open()) {
            record(sink, 1_000);
            Eventually.holds("a checkpoint", () -> checkpoints() == AT_THE_BEGINNING + 1);
            time.advance(Duration.ofMillis(50));
            record(sink, 1_000);

            Eventually.holds("another one", () -> checkpoints() == AT_THE_BEGINNING + 2);
        }
    }

    @Test
    void recordsAreSignedAtMostTwentyTimesPerSecond() {
        try (var sink = trail.open()) {
            record(sink, 5_000);
            Eventually.holds("a checkpoint", () -> checkpoints() == AT_THE_BEGINNING + 1);
            time.awaitAlarms(3);
            assertThat(checkpoints()).isEqualTo(AT_THE_BEGINNING + 1);
            time.advance(Duration.ofMillis(50));

            Eventually.holds("the next one", () -> checkpoints() == AT_THE_BEGINNING + 2);
        }
    }

    @Test
    void recordsWithoutACheckpointAreLimited() {
        try (var sink = trail.open()) {
            record(sink, 10_000);

            Eventually.holds("two checkpoints", () -> checkpoints() == AT_THE_BEGINNING + 2);
        }
    }

    private static void record(AuditSink sink, int records) {
        for (int i = 0; i < records; i++) {
            TestTrail.enter(sink, "call-" + i).join();
        }
    }

    private long checkpoints() {
        return checkpoints(trail);
    }

    private static long checkpoints(TestTrail of) {
        try {
            return Files.readAllLines(of.folder().resolve("checkpoints")).size() / LINES_OF_A_CHECKPOINT;
        } catch (IOException notYet) {
            return 0;
        }
    }
}
