package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records that no caller waits for are written together, and soon. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GatheringTest {

    @TempDir
    Path folder;

    private TestTrail trail;

    @BeforeEach
    void prepare() {
        trail = TestTrail.in(folder);
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void unawaitedRecordIsWrittenWithoutFurtherEvents() {
        try (var sink = trail.open()) {
            note(sink, "first");
            Eventually.holds("the first record", () -> ids().equals(List.of("first")));

            note(sink, "second");

            Eventually.holds("the second record", () -> ids().contains("second"));
        }
    }

    @Test
    void awaitedRecordIsWrittenWithThoseBeforeIt() throws Exception {
        try (var sink = trail.open()) {
            for (int i = 0; i < 50; i++) {
                note(sink, "note-" + i);
            }
            TestTrail.enter(sink, "1").join();

            assertThat(trail.ids()).hasSize(51).endsWith("note-49", "1-enter");
        }
    }

    @Test
    void groupIsSyncedAtOnceOnlyIfARecordIsAwaited() {
        var disk = new FaultyDisk();
        trail.with("mode", "required-for-changes")
                .with("sync-every", "1m")
                .with(disk)
                .begun();
        try (var sink = trail.open()) {
            var before = disk.syncs();
            for (int i = 0; i < 20; i++) {
                note(sink, "note-" + i);
                var last = "note-" + i;
                Eventually.holds("the record", () -> ids().contains(last));
            }
            assertThat(disk.syncs()).isEqualTo(before);

            TestTrail.enter(sink, "1").join();

            assertThat(disk.syncs()).isEqualTo(before + 1);
        }
    }

    @Test
    void failedSyncIsNotedForUnawaitedRecordsToo() throws Exception {
        var disk = new FaultyDisk();
        trail.with("mode", "required-for-changes")
                .with("sync-every", "1m")
                .with(disk)
                .begun();
        try (var sink = trail.open()) {
            note(sink, "for later");
            Eventually.holds("the record", () -> ids().contains("for later"));
            disk.failToSync(true);
            assertThatThrownBy(() -> TestTrail.enter(sink, "1").join()).hasMessageContaining("Input/output error");
            disk.failToSync(false);
            TestTrail.enter(sink, "2").join();
        }

        assertThat(trail.ids()).contains("for later", "sync-failed", "2-enter").doesNotContain("1-enter");
        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void gaugeShowsTheMeanSizeOfAGroup() {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");

            Eventually.holds(
                    "the reading",
                    () -> sink.readings().stream()
                            .filter(each -> each.name().equals("audit.group"))
                            .mapToDouble(GaugeReading::value)
                            .allMatch(each -> each == 1));
        }
    }

    private List<String> ids() {
        try {
            return trail.ids();
        } catch (IOException beingWritten) {
            return List.of();
        }
    }

    private static void note(AuditSink sink, String kind) {
        sink.note(new AuditNote(kind, Map.of()));
    }
}
