package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.benchmarks.Figures.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the page of results: a picture, the goals of all parts, and some tables. */
final class Report {
    private static final String GATEWAYS = "gateways";
    private static final String CALLS = "64: calls/s";
    private static final int BAR = 40;
    /** The parts whose tables the page has; of the others it has the goals. */
    private static final List<String> DETAILED =
            List.of("limits", GATEWAYS, "start", "round-trips", "sizes", "audit", "json");

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("d MMMM yyyy", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private final Figures run;
    private final List<String> parts;
    /** The last runs with other JDKs. */
    private final List<Figures> others;

    private final List<String> page = new ArrayList<>();

    private Report(Path folder, List<String> parts) throws IOException {
        this.run = new Figures(folder);
        this.parts = parts;
        try (var siblings = Files.list(folder.resolveSibling(""))) {
            this.others = siblings.filter(other -> isOtherJdk(other, folder))
                    .sorted()
                    .map(Figures::new)
                    .toList();
        }
    }

    private static boolean isOtherJdk(Path other, Path folder) {
        var name = other.getFileName().toString();
        return name.matches("\\d+(-quick)?")
                && !name.replace("-quick", "").equals(folder.getFileName().toString());
    }

    /** The arguments are the folder of the run, the page and the parts. */
    public static void main(String[] arguments) throws IOException {
        var parts = List.of(arguments).subList(2, arguments.length);
        var report = new Report(Path.of(arguments[0]), parts);
        report.head();
        report.picture();
        report.goals();
        report.tables();
        Files.write(Path.of(arguments[1]), report.page);
    }

    private void head() throws IOException {
        var cpu = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.replaceFirst(".*: ", ""))
                .findFirst()
                .orElse(System.getProperty("os.arch"));
        page.addAll(List.of(
                "# Performance",
                "",
                "`benchmarks/run.sh` wrote this page on %s: %s, %d processors, %s %s, Java %s%s. Load, gateways and"
                        .formatted(
                                DATE.format(Instant.now()),
                                cpu,
                                Runtime.getRuntime().availableProcessors(),
                                System.getProperty("os.name"),
                                System.getProperty("os.version"),
                                System.getProperty("java.vm.version"),
                                run.figures(GATEWAYS).isEmpty() ? "" : ", Node.js " + nodeVersion()),
                "servers share the processors. Compare ratios, not figures: they hold for one run.",
                ""));
    }

    private static String nodeVersion() throws IOException {
        var node = new ProcessBuilder("node", "--version").start();
        return new String(node.getInputStream().readAllBytes(), UTF_8).strip();
    }

    private void picture() throws IOException {
        var cells = run.tables(GATEWAYS).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> List.of(line.split(" *\\| *", -1)))
                .toList();
        if (cells.isEmpty()) {
            return;
        }
        var column = cells.get(0).indexOf(CALLS);
        var gateways = cells.subList(1, cells.size());
        var most = gateways.stream()
                .mapToInt(row -> Integer.parseInt(row.get(column)))
                .max()
                .orElse(1);
        page.addAll(List.of("Calls a second before the same stdio server, 64 callers:", "", "```text"));
        for (var row : gateways) {
            var calls = Integer.parseInt(row.get(column));
            page.add("%-26s %6d %s".formatted(row.get(1), calls, "█".repeat(Math.max(1, calls * BAR / most))));
        }
        page.addAll(List.of("```", ""));
    }

    private void goals() throws IOException {
        var header = new StringBuilder("| | goal | Java " + run.folder().getFileName() + " | |");
        for (var other : others) {
            header.append(" Java %s, %s | |"
                    .formatted(
                            jdk(other),
                            DATE.format(
                                    Files.getLastModifiedTime(other.folder()).toInstant())));
        }
        page.addAll(List.of("## Goals", "", header.toString(), "|---|---|---|---|" + "---|---|".repeat(others.size())));
        for (var part : parts) {
            for (var figure : run.figures(part)) {
                page.add("| %s | %s |%s%s"
                        .formatted(figure.name(), figure.wanted(), cells(figure), othersCells(part, figure)));
            }
        }
    }

    private static String jdk(Figures run) {
        return run.folder().getFileName().toString().replace("-quick", ", brief");
    }

    private String othersCells(String part, Figure figure) throws IOException {
        var cells = new StringBuilder();
        for (var other : others) {
            cells.append(other.figures(part).stream()
                    .filter(each -> each.name().equals(figure.name()))
                    .map(Report::cells)
                    .findFirst()
                    .orElse(" | |"));
        }
        return cells.toString();
    }

    private static String cells(Figure figure) {
        return " %.2f | %s |".formatted(figure.measured(), figure.verdict());
    }

    private void tables() throws IOException {
        for (var part : DETAILED) {
            var tables = run.tables(part);
            page.addAll(List.of("", "## `%s`".formatted(part), ""));
            page.addAll(tables.isEmpty() ? List.of("Not measured.") : tables);
            for (var other : others) {
                page.addAll(List.of("", "### `%s`, Java %s".formatted(part, jdk(other)), ""));
                page.addAll(other.tables(part));
            }
        }
    }
}
