package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.verify.AuditReader;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows I11 and I13: segments end and begin under load, readers follow, and old ones go. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RotationTest {
    private static final int WRITERS = 8;

    @TempDir
    Path folder;

    @Test
    void i11HundredRotationsUnderLoadLoseAndRepeatNothing() throws Exception {
        try (var trail = TestTrail.in(folder).with("segment-size", "4KiB")) {
            try (var sink = trail.open()) {
                callFromThreads(sink, 100);
            }

            assertThat(Segment.in(trail.folder())).hasSizeGreaterThan(100);
            assertThat(trail.ids()).hasSize(2 * WRITERS * 100).doesNotHaveDuplicates();
            assertThat(trail.verify().fault()).isEmpty();
            assertThat(trail.verify().uncovered()).isZero();
        }
    }

    @Test
    void i13FollowingReaderSeesEachRecordOnceAndWhole() throws Exception {
        var seen = new ArrayList<Long>();

        try (var trail = TestTrail.in(folder).with("segment-size", "8KiB")) {
            var sink = trail.open();
            try (sink;
                    var reader = AuditReader.open(trail.folder())) {
                var load = new Thread(() -> callFromThreads(sink, 100), "load");
                load.start();
                Eventually.holds(() -> "records; there are " + seen.size(), () -> {
                    seen.addAll(follow(reader));
                    return seen.size() >= 2 * WRITERS * 100;
                });
                load.join();
            }
        }

        assertThat(seen)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 2 * WRITERS * 100).boxed().toList());
    }

    @Test
    void oldestSegmentsAreRemovedAboveTheSizeLimit() throws Exception {
        try (var trail = TestTrail.in(folder).with("segment-size", "4KiB").with("keep", Map.of("size", "20KiB"))) {
            try (var sink = trail.open()) {
                callFromThreads(sink, 20);
            }

            var report = trail.verify();
            assertThat(report.fault()).isEmpty();
            assertThat(report.first()).isGreaterThan(1);
            assertThat(report.remarks()).anySatisfy(each -> assertThat(each).contains("were removed"));
            assertThat(trail.ids()).contains("pruned");
        }
    }

    @Test
    void checkpointsAndTornFilesAreRemovedWithTheirSegments() throws Exception {
        try (var trail = TestTrail.in(folder).with("segment-size", "4KiB").with("keep", Map.of("size", "20KiB"))) {
            trail.open().close();
            var torn = trail.folder().resolve("00000000000000000001.jsonl.torn-2");
            Files.writeString(torn, "half a record");
            var other = Files.writeString(trail.folder().resolve("99999999999999999999.jsonl.torn"), "the same");

            try (var sink = trail.open()) {
                callFromThreads(sink, 20);
            }

            var first = Segment.in(trail.folder()).get(0).first();
            assertThat(sizes(trail.folder())).startsWith(first - 1).isSorted();
            assertThat(torn).doesNotExist();
            assertThat(other).exists();
            assertThat(trail.verify().fault()).isEmpty();
            assertThat(trail.verify().uncovered()).isZero();
        }
    }

    private static List<Long> sizes(Path folder) throws IOException {
        var sizes = new ArrayList<Long>();
        try (var reader = CheckpointReader.open(folder)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                sizes.add(next.get().size());
            }
        }
        return sizes;
    }

    @Test
    void damagedCheckpointDoesNotStopTheRemoval() throws Exception {
        try (var trail = TestTrail.in(folder).with("segment-size", "4KiB").with("keep", Map.of("size", "20KiB"))) {
            try (var sink = trail.open()) {
                TestTrail.call(sink, "first");
            }
            var checkpoints = trail.folder().resolve("checkpoints");
            Files.writeString(checkpoints, Files.readString(checkpoints).replace("— ", "- "));

            try (var sink = trail.open()) {
                callFromThreads(sink, 20);
            }

            assertThat(trail.ids()).contains("pruned");
        }
    }

    @Test
    void removalWithoutACheckpointIsAFault() throws Exception {
        try (var trail = TestTrail.in(folder).with("segment-size", "4KiB")) {
            try (var sink = trail.open()) {
                callFromThreads(sink, 5);
            }
            Files.delete(trail.folder().resolve("checkpoints"));
            Files.delete(trail.folder().resolve("resume"));

            try (var sink = trail.with("keep", Map.of("size", "4KiB")).open()) {
                assertThat(sink.fault())
                        .hasValueSatisfying(words -> assertThat(words).contains("no checkpoint covers"));
                assertThat(sink.isStopped()).isFalse();
            }
        }
    }

    @Test
    void oldSegmentsAreRemoved() throws Exception {
        try (var trail = TestTrail.in(folder).with("segment-size", "4KiB")) {
            try (var sink = trail.open()) {
                callFromThreads(sink, 5);
            }
            var oldest = Segment.in(trail.folder()).get(0);
            Files.setLastModifiedTime(oldest.file(), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
            trail.with("keep", Map.of("for", "90d")).open().close();

            assertThat(oldest.file()).doesNotExist();
            assertThat(trail.verify().fault()).isEmpty();
        }
    }

    private static List<Long> follow(AuditReader reader) {
        try {
            var seen = new ArrayList<Long>();
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                seen.add(next.get().sequence());
            }
            return seen;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void callFromThreads(AuditSink sink, int calls) {
        var writers = new ArrayList<Thread>();
        for (int i = 0; i < WRITERS; i++) {
            var name = "w" + i + "-";
            var writer = new Thread(
                    () -> {
                        for (int call = 0; call < calls; call++) {
                            TestTrail.call(sink, name + call);
                        }
                    },
                    name);
            writers.add(writer);
            writer.start();
        }
        for (var writer : writers) {
            try {
                writer.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
