package io.mcpbridge.sandbox.orphans;

import io.mcpbridge.spi.SandboxLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How many processes survive each end, at each level, of each child: a table with a line for each end and level, whose
 * columns are named in its first line. A level that stands for others too is written as {@code L2-L3}.
 */
public final class Survivors {
    private final List<String> columns;
    private final Map<String, Map<String, Integer>> rows = new LinkedHashMap<>();

    private Survivors(List<String> columns) {
        this.columns = columns;
    }

    /** Reads a table as a test has it. */
    public static Survivors of(String table) {
        var lines = table.strip().lines().map(line -> line.strip().split(" +")).toList();
        var survivors = new Survivors(List.of(lines.get(0)).subList(2, lines.get(0).length));
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
    public Survivors empty() {
        return new Survivors(columns);
    }

    public void put(Object end, SandboxLevel level, Map<String, Integer> counts) {
        rows.put(end + " " + level, counts);
    }

    /** Those who survive, by the name of the child; nobody of others does. */
    public Map<String, Integer> get(Object end, SandboxLevel level) {
        var counts = new TreeMap<>(rows.get(end + " " + level));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    /** Writes it among the reports of the build. */
    public void write(String name) throws IOException {
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
        lines.forEach(System.out::println);
    }
}
