package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the parts of a run have printed: for each a file with tables, and then its goals and figures.
 *
 * @param folder of the files
 */
record Figures(Path folder) {
    private static final Pattern GOAL =
            Pattern.compile("\\| ([^|]+) \\| ([^|]*?) ?\\| (-?[0-9.]+|NaN|-?Infinity) \\| (pass|short|) ?\\|");

    /**
     * A figure and its goal.
     *
     * @param name what was measured
     * @param wanted the goal, or empty
     * @param measured the figure
     * @param verdict {@code pass}, {@code short} or empty
     */
    record Figure(String name, String wanted, double measured, String verdict) {

        /** How it has moved in percent, by the direction of its goal if it has one. */
        String moved(double percent) {
            var direction = wanted.isEmpty() ? "moved" : wanted.startsWith("≤") == percent < 0 ? "better" : "worse";
            return "%s by %+.0f %%".formatted(direction, percent);
        }
    }

    /** The figures of a part; none if it was not run. */
    List<Figure> figures(String part) throws IOException {
        return lines(part)
                .map(GOAL::matcher)
                .filter(matcher -> matcher.matches())
                .map(match ->
                        new Figure(match.group(1), match.group(2), Double.parseDouble(match.group(3)), match.group(4)))
                .toList();
    }

    /** The lines of a part before its goals and figures; none if it was not run. */
    List<String> tables(String part) throws IOException {
        var lines = lines(part).takeWhile(line -> !line.equals(Goals.HEADER)).toList();
        var isBlankAtEnd = !lines.isEmpty() && lines.get(lines.size() - 1).isBlank();
        return isBlankAtEnd ? lines.subList(0, lines.size() - 1) : lines;
    }

    /** The names of the parts that were run. */
    List<String> parts() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString().replace(".md", ""))
                    .sorted()
                    .toList();
        }
    }

    private Stream<String> lines(String part) throws IOException {
        var file = folder.resolve(part + ".md");
        return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.empty();
    }
}
