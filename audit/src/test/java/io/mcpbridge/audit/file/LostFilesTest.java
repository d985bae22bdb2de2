package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of a trail are removed or moved while it is written. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LostFilesTest {
    private static final String FIRST = "00000000000000000001.jsonl";

    @TempDir
    Path folder;

    private final FakeTimekeeper time = new FakeTimekeeper();
    private TestTrail trail;

    @BeforeEach
    void prepare() {
        trail = TestTrail.in(folder).with("mode", "required").with(time);
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void callsAreRejectedWhenTheFolderIsRemoved() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "before");
            remove(trail.folder());

            passSecond(sink);

            assertRefused(sink, "'lock' is gone");
            assertThat(sink.fault())
                    .hasValueSatisfying(words -> assertThat(words)
                            .contains("bring the folder of the trail back as it was, or start the daemon again"));
        }
        assertThat(trail.log.lines()).noneMatch(line -> line.contains("resume"));
        assertThat(trail.folder()).doesNotExist();
    }

    @Test
    void trailContinuesWhenTheFolderIsMovedBack() throws Exception {
        var away = folder.resolve("trail.1");
        try (var sink = trail.open()) {
            TestTrail.call(sink, "before");
            Files.move(trail.folder(), away);
            TestTrail.call(sink, "meanwhile");
            passSecond(sink);
            assertRefused(sink, "'lock' is gone");

            Files.move(away, trail.folder());
            time.advance(Duration.ofSeconds(1));
            Eventually.holds("the trail is written again", () -> !sink.isStopped());
            TestTrail.call(sink, "after");
        }

        assertThat(trail.ids())
                .containsExactly(
                        "before-enter",
                        "before-exit",
                        "meanwhile-enter",
                        "meanwhile-exit",
                        "gap",
                        "after-enter",
                        "after-exit");
        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void callsAreRejectedWhenTheLockIsReplaced() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "before");
            var lock = trail.folder().resolve("lock");
            Files.delete(lock);
            Files.createFile(lock);

            passSecond(sink);

            assertRefused(sink, "'lock' is gone, or another file");
        }
        assertThat(trail.ids()).containsExactly("before-enter", "before-exit");
    }

    @Test
    void callsAreRejectedWhenTheCheckpointsAreRemoved() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "before");
            Files.delete(trail.folder().resolve("checkpoints"));

            passSecond(sink);

            assertRefused(sink, "'checkpoints' is gone, or another file");
        }
    }

    @Test
    void truncatedSegmentIsAbandonedAndItsRecordsAreReportedMissing() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "before");
            Files.write(trail.folder().resolve(FIRST), new byte[0]);

            time.advance(Duration.ofSeconds(1));
            Eventually.holds("the loss is reported", () -> sink.fault().isPresent());
            TestTrail.call(sink, "after");

            assertThat(sink.isStopped()).isFalse();
            assertThat(sink.fault())
                    .hasValueSatisfying(words -> assertThat(words).contains("has 0 bytes, and "));
        }
        var report = trail.verify();
        assertThat(report.holds()).isFalse();
        assertThat(report.fault()).isPresent();
        assertThat(Files.readString(trail.folder().resolve("00000000000000000003.jsonl")))
                .contains("\"kind\":\"segment-lost\"", "after-exit");
    }

    @Test
    void removedLastSegmentIsReportedMissing() throws Exception {
        var sink = trail.open();
        TestTrail.call(sink, "before");
        Files.delete(trail.folder().resolve(FIRST));
        sink.close();

        assertThat(trail.verify().holds()).isFalse();
    }

    @Test
    void startAfterTheFolderWasRemovedIsNoted() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "before");
        }
        remove(trail.folder());

        try (var sink = trail.open()) {
            TestTrail.call(sink, "after");
        }

        assertThat(trail.ids()).containsExactly("trail-missing", "after-enter", "after-exit");
        assertThat(trail.log.lines()).anyMatch(line -> line.contains("trail-missing"));
    }

    @Test
    void firstStartNotesNoMissingTrail() throws Exception {
        try (var sink = trail.open()) {
            TestTrail.call(sink, "first");
        }

        assertThat(trail.ids()).containsExactly("first-enter", "first-exit");
    }

    private void passSecond(AuditSink sink) {
        time.advance(Duration.ofSeconds(1));
        Eventually.holds("the writer finds its files gone", sink::isStopped);
    }

    private static void assertRefused(AuditSink sink, String why) {
        var completion = TestTrail.enter(sink, "refused");

        assertThatThrownBy(completion::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining(why);
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
