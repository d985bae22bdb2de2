package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Row I4: a process that is killed at any moment takes nothing with it that it said was durable. {@code
 * -Dmcp-bridge.audit.kills=1000} kills it more often.
 */
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class KilledWriterTest {
    private static final int KILLS = Integer.getInteger("mcp-bridge.audit.kills", 100);
    private static final int KILLS_OF_A_TRAIL = 10;
    private static final int LONGEST_LIFE_MS = 150;
    private static final int LONGEST_START_S = 60;
    private static final int FOR_EVER = 1_000_000;

    @TempDir
    Path folder;

    private final Random random = new Random(42);

    @Test
    void i4KilledAtRandomPointsLosesNothingThatWasAcknowledged() throws Exception {
        for (int kill = 0; kill < KILLS; kill += KILLS_OF_A_TRAIL) {
            killOften(Files.createDirectory(folder.resolve("trail-" + kill)));
        }
    }

    private void killOften(Path place) throws Exception {
        Set<String> acknowledged = new HashSet<>();
        for (int i = 0; i < KILLS_OF_A_TRAIL; i++) {
            var said = place.resolve("said-" + i);
            var child = new ProcessBuilder(TrailChild.command(place, "k" + i, FOR_EVER))
                    .redirectError(place.resolve("errors").toFile())
                    .redirectOutput(said.toFile())
                    .start();
            try {
                letLive(child, said, place);
            } finally {
                child.destroyForcibly().waitFor();
            }
            acknowledged.addAll(wholeLines(said));
        }
        assertHolds(place, acknowledged);
    }

    /** One in ten is killed at any moment of its start, while it takes up what the one before left. */
    private void letLive(Process child, Path said, Path place) throws Exception {
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

    private static void assertHolds(Path place, Set<String> acknowledged) throws Exception {
        try (var trail = TestTrail.in(place)) {
            trail.open().close();
            var ids = trail.ids();

            assertThat(trail.verify().fault()).isEmpty();
            assertThat(trail.verify().uncovered()).isZero();
            assertThat(new HashSet<>(ids)).containsAll(acknowledged);
            assertThat(ids.stream().filter(id -> !id.equals("recovered"))).doesNotHaveDuplicates();
            assertThat(FailingDiskTest.unended(ids)).isEmpty();
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
