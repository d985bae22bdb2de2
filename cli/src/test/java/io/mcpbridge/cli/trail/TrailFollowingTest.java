package io.mcpbridge.cli.trail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.Segment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Follows what the real sink writes meanwhile. */
@Timeout(60)
class TrailFollowingTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int CALLS = 250;

    @TempDir
    Path temporary;

    private final Shown shown = new Shown();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        shown.leave();
        threads.shutdownNow();
    }

    @Test
    void i13FollowingReaderSeesEachRecordOnceAcrossSegments() throws IOException {
        var folder = temporary.resolve("trail");
        try (var trail = RealTrail.rotatingIn(folder)) {
            var following = follow(folder, TrailForm.records());
            var writers = new Future<?>[] {
                threads.submit(() -> trail.calls("a", CALLS)), threads.submit(() -> trail.calls("b", CALLS))
            };

            await().atMost(TIMEOUT).until(() -> records() >= 4 * CALLS);

            assertThat(writers).allMatch(Future::isDone);
            assertThat(following.isDone()).isFalse();
        }
        assertThat(shown.lines()).allSatisfy(line -> ParsedRecord.parse(line.getBytes(StandardCharsets.UTF_8)));
        var sequences = shown.lines().stream()
                .map(line -> ParsedRecord.parse(line.getBytes(StandardCharsets.UTF_8))
                        .sequence());
        assertThat(sequences)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, shown.lines().size()).boxed().toList());
        assertThat(Segment.in(folder)).hasSizeGreaterThan(50);
        assertThat(shown.remarks()).isEmpty();
    }

    @Test
    void followingContinuesAfterARestartOfTheSink() {
        var folder = temporary.resolve("trail");
        try (var trail = RealTrail.in(folder)) {
            trail.calls("before", 3);
            var following = follow(folder, TextTrailForm.unbounded());
            await().atMost(TIMEOUT).until(() -> shown.lines().size() == 3);
            assertThat(following.isDone()).isFalse();
        }
        try (var trail = RealTrail.in(folder)) {
            trail.calls("after", 2);

            await().atMost(TIMEOUT).until(() -> calls("after") == 2);
        }
        assertThat(shown.remarks()).isEmpty();
    }

    @Test
    void partialRecordIsShownOnceItIsComplete() throws InterruptedException {
        var records = new Records(temporary).enter("c1", "t");
        var line = "{\"data\":{},\"half\":";
        records.append(line);
        var following = follow(temporary, TrailForm.records());
        await().atMost(TIMEOUT).until(() -> shown.lines().size() == 1);

        records.append("true}\n").exit("c1", "t");

        await().atMost(TIMEOUT).until(() -> shown.lines().size() == 2);
        assertThat(shown.remarks()).hasSize(1);
        assertThat(following.isDone()).isFalse();
    }

    @Test
    void followingEndsWithItsLastReader() {
        new Records(temporary).enter("c1", "t");
        var following = follow(temporary, TextTrailForm.unbounded());

        shown.leave();

        await().atMost(TIMEOUT).until(following::isDone);
    }

    private Future<?> follow(Path folder, TrailForm form) {
        var trail = TrailViewer.at(folder, form, shown);
        return threads.submit(() -> {
            trail.follow(1_000_000, TrailFilter.ALL);
            return null;
        });
    }

    private long records() {
        return shown.lines().stream()
                .filter(line -> line.contains("io.mcpbridge.tool.call."))
                .count();
    }

    private long calls(String prefix) {
        return shown.lines().stream()
                .filter(line -> line.contains(" " + prefix))
                .count();
    }
}
