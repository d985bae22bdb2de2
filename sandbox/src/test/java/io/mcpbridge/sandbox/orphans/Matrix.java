package io.mcpbridge.sandbox.orphans;

import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Who is expected to survive which end at which level, and who was seen to. Each end is brought about once, at all levels
 * together, since that is quicker than one after the other. For one thread.
 */
public final class Matrix {
    /** So many looks at all processes that show the same are taken for the end of all changes. */
    private static final int LOOKS = 10;

    private final Survivors expected;
    private final Survivors seen;
    private final List<SandboxLevel> levels;
    private final Map<Object, Map<SandboxLevel, Map<String, Integer>>> outcomes = new HashMap<>();

    /** Brings an end about. */
    public interface Ending {

        /** Returns what is to be closed when the survivors were counted. */
        AutoCloseable bringAbout(Marks marks, List<SandboxLevel> levels) throws Exception;
    }

    /** A matrix for the levels that this machine has, with a table as {@link Survivors} has it. */
    public Matrix(String expected) {
        this.expected = Survivors.of(expected);
        this.seen = this.expected.empty();
        try (var households = new Households()) {
            this.levels = households.levels();
        }
    }

    /** Each end at each level. */
    public static Stream<Arguments> cells(Object... ends) {
        return Stream.of(ends)
                .flatMap(end -> Stream.of(SandboxLevel.values())
                        .map(level -> Arguments.argumentSet(end + " at " + level, end, level)));
    }

    /** Whether this machine has it. */
    public boolean has(SandboxLevel level) {
        return levels.contains(level);
    }

    public Map<String, Integer> expected(Object end, SandboxLevel level) {
        return expected.get(end, level);
    }

    /** Who survives {@code ending}, which is brought about unless it was before. */
    public Map<String, Integer> seen(Object end, SandboxLevel level, Ending ending) throws Exception {
        if (!outcomes.containsKey(end)) {
            outcomes.put(end, outcome(end, ending));
        }
        return outcomes.get(end).getOrDefault(level, Map.of());
    }

    private Map<SandboxLevel, Map<String, Integer>> outcome(Object end, Ending ending) throws Exception {
        var marks = Marks.fresh();
        try (var toClose = ending.bringAbout(marks, levels)) {
            awaitExpected(end, marks);
            Eventually.holds(
                    () -> "no zombies but " + Marks.zombies() + " of " + toClose,
                    () -> Marks.zombies().isEmpty());
            var counts = settled(marks);
            levels.forEach(level -> seen.put(end, level, counts.getOrDefault(level, Map.of())));
            return counts;
        } finally {
            marks.killAll();
        }
    }

    private void awaitExpected(Object end, Marks marks) {
        try {
            Eventually.holds("those who are expected", () -> isAsExpected(end, marks));
        } catch (AssertionError others) {
            // The comparison of each level tells more.
        }
    }

    /** Counted again until nothing has changed from one look to the next, since those who are about to end are no survivors. */
    private static Map<SandboxLevel, Map<String, Integer>> settled(Marks marks) {
        var looks = new ArrayDeque<Map<SandboxLevel, Map<String, Integer>>>();
        Eventually.holds("counts that stay", () -> {
            looks.add(marks.counts());
            if (looks.size() > LOOKS) {
                looks.remove();
            }
            return looks.size() == LOOKS && Set.copyOf(looks).size() == 1;
        });
        return looks.getLast();
    }

    private boolean isAsExpected(Object end, Marks marks) {
        var counts = marks.counts();
        return levels.stream()
                .allMatch(level -> counts.getOrDefault(level, Map.of()).equals(expected.get(end, level)));
    }

    /** Prints who was seen, and writes it among the reports of the build. */
    public void write(String name) throws IOException {
        seen.write(name);
    }
}
