package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

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

    @TempDir
    Path folder;

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final FaultyDisk disk = new FaultyDisk();
    private TestTrail trail;

    @BeforeEach
    void prepare() {
        trail = TestTrail.in(folder).with(disk).with(time);
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void bestEffortTellsBeforeTheDeviceHasTheRecord() {
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
    void requiredTellsWhenTheDeviceHasTheRecord() {
        trail.with("mode", "required");

        try (var sink = trail.open()) {
            var before = disk.syncs();
            TestTrail.call(sink, "1");

            assertThat(disk.syncs()).isEqualTo(before + 2);
        }
    }

    @Test
    void recordsAreVouchedForAfterAMinute() {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
            time.awaitAlarms(2);
            time.advance(Duration.ofSeconds(60));

            Eventually.holds("a checkpoint", () -> checkpoints() == 1);
        }
    }

    @Test
    void everyThousandRecordsAreVouchedFor() {
        try (var sink = trail.open()) {
            for (int i = 0; i < 1_000; i++) {
                TestTrail.call(sink, "call-" + i);
            }

            Eventually.holds("two checkpoints", () -> checkpoints() == 2);
        }
    }

    private long checkpoints() {
        try {
            return Files.readAllLines(trail.folder().resolve("checkpoints")).size() / LINES_OF_A_CHECKPOINT;
        } catch (IOException notYet) {
            return 0;
        }
    }
}
