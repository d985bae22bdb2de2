package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.internal.RecordQueue;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows I1, I2, I3, I5 and I12: the disk is full, takes little, fails to sync, fails at any moment, or is slow. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FailingDiskTest {

    @TempDir
    Path folder;

    private final FaultyDisk disk = new FaultyDisk();

    @Test
    void i1FullDiskRejectsTheCallAndTheGapIsNotedLater() throws Exception {
        try (var trail = TestTrail.in(folder).with("mode", "required").with(disk)) {
            try (var sink = trail.open()) {
                TestTrail.call(sink, "before");
                disk.full(true);
                assertRefused(TestTrail.enter(sink, "refused"), "No space left on device");
                assertThat(sink.fault())
                        .hasValueSatisfying(words -> assertThat(words).contains("No space left"));
                assertThat(sink.isStopped()).isTrue();
                disk.full(false);
                TestTrail.call(sink, "after");

                assertThat(sink.fault()).isEmpty();
            }

            assertThat(trail.ids()).containsExactly("before-enter", "before-exit", "gap", "after-enter", "after-exit");
            assertThat(details(trail.records().get(2))).contains("enter=1", "lost=1");
            assertThat(trail.verify().holds()).isTrue();
        }
    }

    @Test
    void i1FullDiskIsLoggedOnce() throws Exception {
        try (var trail = TestTrail.in(folder).with(disk)) {
            try (var sink = trail.open()) {
                disk.full(true);
                for (int i = 0; i < 5; i++) {
                    assertRefused(TestTrail.enter(sink, "refused-" + i), "No space left on device");
                }
                disk.full(false);
            }

            assertThat(trail.log.lines())
                    .filteredOn(line -> line.contains("writing failed"))
                    .hasSize(1);
        }
    }

    @Test
    void i2ShortWritesAreContinued() throws Exception {
        disk.shortWrites(7);

        try (var trail = TestTrail.in(folder).with(disk)) {
            try (var sink = trail.open()) {
                TestTrail.call(sink, "1");
            }

            assertThat(trail.ids()).containsExactly("1-enter", "1-exit");
            assertThat(trail.verify().holds()).isTrue();
        }
    }

    @Test
    void i2HalfARecordThatCannotBeTruncatedStaysAndIsIgnored() throws Exception {
        try (var trail = TestTrail.in(folder).with("mode", "required").with(disk)) {
            try (var sink = trail.open()) {
                TestTrail.call(sink, "before");
                disk.full(true);
                disk.failToCut(true);
                assertRefused(TestTrail.enter(sink, "refused"), "No space left on device");
                disk.full(false);
                disk.failToCut(false);
                TestTrail.call(sink, "after");
            }

            assertThat(Segment.in(trail.folder())).hasSize(2);
            assertThat(trail.ids()).containsExactly("before-enter", "before-exit", "gap", "after-enter", "after-exit");
            assertThat(trail.verify().holds()).isTrue();
            assertThat(trail.verify().remarks()).singleElement().asString().contains("left when a write failed");
        }
    }

    @Test
    void i3UnsyncedRecordDoesNotCountAndANewSegmentBegins() throws Exception {
        try (var trail = TestTrail.in(folder).with("mode", "required").with(disk)) {
            try (var sink = trail.open()) {
                TestTrail.call(sink, "before");
                disk.failToSync(true);
                assertRefused(TestTrail.enter(sink, "refused"), "Input/output error");
                disk.failToSync(false);
                TestTrail.call(sink, "after");
            }

            assertThat(Segment.in(trail.folder())).extracting(Segment::first).containsExactly(1L, 3L);
            assertThat(trail.ids()).containsExactly("before-enter", "before-exit", "gap", "after-enter", "after-exit");
            assertThat(trail.log.lines()).anySatisfy(line -> assertThat(line).contains("Input/output error"));
            assertThat(trail.verify().holds()).isTrue();
        }
    }

    @Test
    void i3RecordThatIsNeitherSyncedNorTruncatedDoesNotCount() throws Exception {
        try (var trail = TestTrail.in(folder).with("mode", "required").with(disk)) {
            try (var sink = trail.open()) {
                TestTrail.call(sink, "before");
                disk.failToSync(true);
                disk.failToCut(true);
                assertRefused(TestTrail.enter(sink, "refused"), "Input/output error");
                disk.failToSync(false);
                disk.failToCut(false);
                TestTrail.call(sink, "after");
            }

            assertThat(trail.ids()).containsExactly("before-enter", "before-exit", "gap", "after-enter", "after-exit");
            assertThat(trail.verify().holds()).isTrue();
        }
    }

    @Test
    void i3FailedDelayedSyncIsNotedInTheTrail() throws Exception {
        try (var trail = TestTrail.in(folder).with("sync-every", "1ms").with(disk)) {
            try (var sink = trail.open()) {
                disk.failToSync(true);
                TestTrail.call(sink, "1");
                Eventually.holds("trouble", () -> sink.fault().isPresent());
                disk.failToSync(false);
                TestTrail.call(sink, "2");
                Eventually.holds("no trouble", () -> sink.fault().isEmpty());
            }

            assertThat(trail.ids()).contains("1-enter", "1-exit", "2-enter", "2-exit", "sync-failed");
            assertThat(trail.verify().holds()).isTrue();
        }
    }

    @Test
    void i3FailedSyncAtTheEndOfASegmentIsNotedBeforeTheCheckpoint() throws Exception {
        try (var trail = TestTrail.in(folder)
                .with("segment-size", "4KiB")
                .with("sync-every", "1m")
                .with(disk)) {
            try (var sink = trail.open()) {
                disk.failToSync(true);
                for (int i = 0; i < 10; i++) {
                    TestTrail.call(sink, "call-" + i);
                }
                assertThat(sink.isStopped()).isFalse();
                assertThat(sink.fault()).isPresent();
                disk.failToSync(false);
                for (int i = 10; i < 20; i++) {
                    TestTrail.call(sink, "call-" + i);
                }
                Eventually.holds("no trouble", () -> sink.fault().isEmpty());
            }

            assertThat(trail.ids()).contains("call-0-enter", "call-19-exit", "sync-failed");
            assertThat(trail.verify().holds()).isTrue();
            assertThat(trail.verify().uncovered()).isZero();
        }
    }

    @Test
    void segmentEndsOnlyAfterItsCheckpointIsWritten() throws Exception {
        try (var trail = TestTrail.in(folder).with("segment-size", "4KiB").with(disk)) {
            try (var sink = trail.open()) {
                TestTrail.call(sink, "first");
                disk.failToWrite("checkpoints");
                for (int i = 0; i < 10; i++) {
                    TestTrail.call(sink, "call-" + i);
                }
                assertThat(trail.segments()).hasSize(1);
                assertThat(trail.verify().holds()).isTrue();
                assertThat(sink.fault())
                        .hasValueSatisfying(words -> assertThat(words).contains("writing a checkpoint failed"));
                disk.failToWrite("none");
            }

            assertThat(trail.verify().uncovered()).isZero();
            assertThat(trail.verify().holds()).isTrue();
        }
    }

    @Test
    void i5NoAcknowledgedRecordIsLostWhicheverOperationFails() throws Exception {
        var count = scenario("none", number -> false);

        for (int each = 1; each <= count; each++) {
            var failing = each;
            scenario("once-" + each, number -> number == failing);
            scenario("for-good-" + each, number -> number >= failing);
        }

        assertThat(count).isGreaterThan(30);
    }

    @Test
    void i5OpenCallsEndInDoubtWhicheverOperationOfAStartFails() throws Exception {
        var count = startWithOpenCalls("none", number -> false);

        for (int each = 1; each <= count; each++) {
            var failing = each;
            startWithOpenCalls("start-" + each, number -> number == failing);
        }

        assertThat(count).isGreaterThan(8);
    }

    @Test
    void i12SlowDiskFillsTheQueueAndThenCallsAreRejected() throws Exception {
        try (var trail = TestTrail.in(folder).with("mode", "required").with(disk)) {
            var taken = new ArrayList<CompletableFuture<Void>>();
            try (var sink = trail.open()) {
                var before = disk.held();
                var gate = disk.hold();
                taken.add(TestTrail.enter(sink, "first"));
                // From here on the writer takes nothing out of the queue any more.
                Eventually.holds("the writer waits for the disk", () -> disk.held() > before);
                IntStream.range(0, RecordQueue.MAX_EVENTS + 1_000)
                        .forEach(i -> taken.add(TestTrail.enter(sink, "call-" + i, "user-" + i % 2)));

                var last = taken.get(taken.size() - 1);

                assertRefused(last, "the audit queue is full");
                assertThat(sink.readings().get(0).value()).isLessThanOrEqualTo(RecordQueue.MAX_EVENTS);
                gate.countDown();
            }

            var refused = taken.stream()
                    .filter(CompletableFuture::isCompletedExceptionally)
                    .count();
            assertThat(taken).allMatch(CompletableFuture::isDone);
            assertThat(trail.records())
                    .filteredOn(line -> line.text("kind").orElse("").equals("gap"))
                    .singleElement()
                    .satisfies(line -> assertThat(details(line)).contains("lost=" + refused));
            assertThat(trail.verify().holds()).isTrue();
        }
    }

    /** Calls over a few segments on a disk that fails; then a healthy one. Returns how many operations there were. */
    private int scenario(String name, IntPredicate failing) throws Exception {
        var place = Files.createDirectory(folder.resolve(name));
        var faulty = new FaultyDisk().failing(failing);
        Set<String> acknowledged = new HashSet<>();
        try (var trail = TestTrail.in(place)
                .with("mode", "required")
                .with("segment-size", "4KiB")
                .with(faulty)) {
            callUntilFailure(trail, acknowledged);
        }
        try (var trail = TestTrail.in(place).with("mode", "required").with("segment-size", "4KiB")) {
            trail.open().close();
            var ids = trail.ids();

            assertThat(ids).as(name).doesNotHaveDuplicates().containsAll(acknowledged);
            assertThat(openCalls(ids)).as(name).isEmpty();
            assertThat(trail.verify().fault()).as(name).isEmpty();
        }
        return faulty.operations();
    }

    /** Open calls, a start on a disk that fails, and one on a healthy disk. Returns the operations of the first start. */
    private int startWithOpenCalls(String name, IntPredicate failing) throws Exception {
        var faulty = new FaultyDisk().failing(failing);
        try (var trail =
                TestTrail.in(Files.createDirectory(folder.resolve(name))).with("mode", "required")) {
            try (var sink = trail.open()) {
                TestTrail.enter(sink, "a").join();
                TestTrail.enter(sink, "b").join();
            }
            tryToStart(trail.with(faulty));

            trail.with(TrailFileSystem.ofTheSystem()).open().close();

            assertThat(trail.ids())
                    .as(name)
                    .contains("a-enter", "b-enter", "a-exit", "b-exit", "recovered")
                    .filteredOn(id -> id.endsWith("-exit"))
                    .doesNotHaveDuplicates();
            assertThat(trail.verify().holds()).as(name).isTrue();
        }
        return faulty.operations();
    }

    private static void tryToStart(TestTrail trail) {
        try {
            trail.open().close();
        } catch (ConfigurationException cannotBegin) {
            assertThat(cannotBegin).hasMessageContaining("the audit trail cannot be kept");
        }
    }

    private static void callUntilFailure(TestTrail trail, Set<String> acknowledged) {
        try (var sink = trail.open()) {
            for (int i = 0; i < 12; i++) {
                note(TestTrail.enter(sink, "c" + i), "c" + i + "-enter", acknowledged);
                note(TestTrail.exit(sink, "c" + i), "c" + i + "-exit", acknowledged);
            }
        } catch (ConfigurationException cannotBegin) {
            assertThat(acknowledged).isEmpty();
        }
    }

    private static void note(CompletableFuture<Void> completion, String id, Set<String> acknowledged) {
        try {
            completion.join();
            acknowledged.add(id);
        } catch (CompletionException refused) {
            assertThat(refused.getCause()).isInstanceOf(BridgeException.class);
        }
    }

    /** The calls whose enter is there and whose exit is not. */
    static List<String> openCalls(List<String> ids) {
        var all = new HashSet<>(ids);
        return ids.stream()
                .filter(id -> id.endsWith("-enter"))
                .filter(id -> !all.contains(id.replace("-enter", "-exit")))
                .toList();
    }

    private static void assertRefused(CompletableFuture<Void> completion, String why) {
        assertThatThrownBy(completion::join).cause().isInstanceOfSatisfying(BridgeException.class, refused -> {
            assertThat(refused).hasMessageContaining(why);
            assertThat(refused.code()).isEqualTo(ErrorCode.AUDIT_UNAVAILABLE);
            assertThat(refused.delivery()).isEqualTo(Delivery.NOT_SENT);
        });
    }

    private static String details(ParsedRecord note) {
        return String.valueOf(note.data().get("details"));
    }
}
