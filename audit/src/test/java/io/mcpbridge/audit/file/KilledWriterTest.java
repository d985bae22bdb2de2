package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Row I4: a process that is killed at any moment takes nothing with it that it said was durable. {@code
 * -Dmcp-bridge.audit.kills=1000} kills it more often.
 */
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class KilledWriterTest {
    private static final int KILLS = Integer.getInteger("mcp-bridge.audit.kills", 60);
    private static final int KILLS_OF_A_TRAIL = 10;
    /** Each of them is killed in the middle of something else, and a process takes longer to start than they need. */
    private static final int TRAILS_OF_A_CHILD = 3;

    private static final int CHILDREN_AT_ONCE = 2;
    private static final int LONGEST_LIFE_MS = 150;
    private static final int LONGEST_START_S = 60;
    private static final int FOR_EVER = 1_000_000;

    @TempDir
    Path folder;

    @Test
    void i4WriterKilledAtRandomPointsLosesNoAcknowledgedRecord() throws Exception {
        var threads = Executors.newFixedThreadPool(CHILDREN_AT_ONCE);
        try {
            var all = new ArrayList<Future<?>>();
            for (int kills = 0; kills < KILLS; kills += KILLS_OF_A_TRAIL * TRAILS_OF_A_CHILD) {
                var place = Files.createDirectory(folder.resolve("trails-" + kills));
                var random = new Random(42 + kills);
                all.add(threads.submit(() -> {
                    killRepeatedly(place, random);
                    return null;
                }));
            }
            for (var each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(LONGEST_START_S, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    private static void killRepeatedly(Path place, Random random) throws Exception {
        var trails = new ArrayList<Path>();
        for (int i = 0; i < TRAILS_OF_A_CHILD; i++) {
            trails.add(Files.createDirectory(place.resolve(Integer.toString(i))));
        }
        Set<String> acknowledged = new HashSet<>();
        for (int i = 0; i < KILLS_OF_A_TRAIL; i++) {
            var said = place.resolve("said-" + i);
            var child = new ProcessBuilder(TrailChild.command(trails, "k" + i, FOR_EVER))
                    .redirectError(place.resolve("errors").toFile())
                    .redirectOutput(said.toFile())
                    .start();
            try {
                letRun(child, said, place, random);
            } finally {
                child.destroyForcibly().waitFor();
            }
            acknowledged.addAll(wholeLines(said));
        }
        for (int i = 0; i < TRAILS_OF_A_CHILD; i++) {
            var ofTrail = Pattern.compile("k\\d+-" + i + "-.*").asMatchPredicate();
            assertHolds(trails.get(i), acknowledged.stream().filter(ofTrail).toList());
        }
    }

    /** One in ten is killed at any moment of its start, while it takes up what the one before left. */
    private static void letRun(Process child, Path said, Path place, Random random) throws Exception {
        if (random.nextInt(10) == 0) {
            assertThat(child.waitFor(random.nextInt(1_000), TimeUnit.MILLISECONDS))
                    .isFalse();
            return;
        }
        for (int i = 0; said.toFile().length() == 0; i++) {
            assertThat(i).as("the child begins; it says: %s", errors(place)).isLessThan(LONGEST_START_S * 100);
            assertThat(child.waitFor(10, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(child.waitFor(random.nextInt(LONGEST_LIFE_MS), TimeUnit.MILLISECONDS))
                .isFalse();
    }

    private static void assertHolds(Path place, List<String> acknowledged) throws Exception {
        try (var trail = TestTrail.in(place)) {
            trail.open().close();
            var ids = trail.ids();

            assertThat(trail.verify().fault()).isEmpty();
            assertThat(trail.verify().uncovered()).isZero();
            assertThat(new HashSet<>(ids)).containsAll(acknowledged);
            assertThat(ids.stream().filter(id -> !id.equals("recovered"))).doesNotHaveDuplicates();
            assertThat(FailingDiskTest.openCalls(ids)).isEmpty();
            assertThat(acknowledged).isNotEmpty();
        }
    }

    private static Set<String> wholeLines(Path said) throws IOException {
        var text = Files.readString(said);
        var lines = new HashSet<>(
                text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
        return lines;
    }

    private static String errors(Path place) {
        try {
            return Files.readString(place.resolve("errors"));
        } catch (IOException none) {
            return none.toString();
        }
    }
}
