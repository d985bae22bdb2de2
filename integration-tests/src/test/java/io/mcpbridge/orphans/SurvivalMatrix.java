package io.mcpbridge.orphans;

import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The processes that are expected to survive each end at each level, and those that were seen. Each end is caused once, at
 * all levels together, since that is faster. For one thread.
 */
final class SurvivalMatrix {
    /** So many looks at all processes that show the same are taken for the end of all changes. */
    private static final int LOOKS = 10;

    private final SurvivorTable expected;
    private final SurvivorTable seen;
    private final List<SandboxLevel> levels;
    private final Map<Object, Map<SandboxLevel, Map<String, Integer>>> outcomes = new HashMap<>();

    /** Brings an end about. */
    interface Ending {

        /** Returns what is to be closed when the survivors were counted. */
        AutoCloseable bringAbout(Marks marks, List<SandboxLevel> levels) throws Exception;
    }

    /** A matrix for {@code levels}, those that this machine has, with a table as {@link SurvivorTable} has it. */
    SurvivalMatrix(String expected, List<SandboxLevel> levels) {
        this.expected = SurvivorTable.of(expected);
        this.seen = this.expected.empty();
        this.levels = List.copyOf(levels);
    }

    /** Each end at each level. */
    static Stream<Arguments> cells(Object... ends) {
        return Stream.of(ends)
                .flatMap(end -> Stream.of(SandboxLevel.values())
                        .map(level -> Arguments.argumentSet(end + " at " + level, end, level)));
    }

    /** Whether this machine has it. */
    boolean has(SandboxLevel level) {
        return levels.contains(level);
    }

    Map<String, Integer> expected(Object end, SandboxLevel level) {
        return expected.get(end, level);
    }

    /** Who survives {@code ending}, which is brought about unless it was before. */
    Map<String, Integer> seen(Object end, SandboxLevel level, Ending ending) throws Exception {
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
            // The comparison of each level is more specific.
        }
    }

    /** Counted until two counts are equal, since processes that are about to end are not survivors. */
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

    /** Writes who was seen to {@code target}, among the reports of the build. */
    void write(String name) throws IOException {
        seen.write(name);
    }

    /**
     * How many processes survive each end, at each level, of each child: a table with a line for each end and level, whose
     * columns are named in its first line. A level that represents others too is written as {@code L2-L3}.
     */
    private static final class SurvivorTable {
        private final List<String> columns;
        private final Map<String, Map<String, Integer>> rows = new LinkedHashMap<>();

        private SurvivorTable(List<String> columns) {
            this.columns = columns;
        }

        /** Reads a table as a test has it. */
        static SurvivorTable of(String table) {
            var lines =
                    table.strip().lines().map(line -> line.strip().split(" +")).toList();
            var survivors = new SurvivorTable(List.of(lines.get(0)).subList(2, lines.get(0).length));
            for (var words : lines.subList(1, lines.size())) {
                var counts = new TreeMap<String, Integer>();
                for (int i = 2; i < words.length; i++) {
                    counts.put(survivors.columns.get(i - 2), Integer.valueOf(words[i]));
                }
                levels(words[1]).forEach(level -> survivors.put(words[0], level, counts));
            }
            return survivors;
        }

        private static List<SandboxLevel> levels(String word) {
            var ends = word.split("-", -1);
            var lowest = SandboxLevel.valueOf(ends[0]);
            var highest = SandboxLevel.valueOf(ends[ends.length - 1]);
            return Stream.of(SandboxLevel.values())
                    .filter(level -> level.covers(lowest) && highest.covers(level))
                    .toList();
        }

        /** One with the same columns and nothing in it. */
        SurvivorTable empty() {
            return new SurvivorTable(columns);
        }

        void put(Object end, SandboxLevel level, Map<String, Integer> counts) {
            rows.put(end + " " + level, counts);
        }

        /** The survivors, by the name of the child; others have none. */
        Map<String, Integer> get(Object end, SandboxLevel level) {
            var counts = new TreeMap<>(rows.get(end + " " + level));
            counts.values().removeIf(count -> count == 0);
            return counts;
        }

        /** Writes the table to {@code target}, among the reports of the build. */
        void write(String name) throws IOException {
            var lines = new ArrayList<String>();
            lines.add("%-24s".formatted("end and level") + String.join(" ", columns));
            rows.forEach((row, counts) -> {
                var line = new StringBuilder("%-24s".formatted(row));
                for (var column : columns) {
                    line.append(("%-" + (column.length() + 1) + "d").formatted(counts.getOrDefault(column, 0)));
                }
                lines.add(line.toString().stripTrailing());
            });
            Files.createDirectories(Path.of("target"));
            Files.write(Path.of("target", name), lines);
        }
    }
}
