package io.mcpbridge.benchmarks;

import java.util.List;

/** Prints the tables of measurements and goals. */
final class Goals {
    private static final String ROWS = "| %-44s | %7s | %9s | %8s | %8s | %17s | %6s |"
            .formatted("", "callers", "calls/s", "p50 us", "p99 us", "p50 of rounds", "errors");

    private Goals() {}

    /** Prints the rows and the header of the goals. */
    static void begin(List<Row> rows) {
        say(ROWS);
        say("|---|---|---|---|---|---|---|");
        rows.forEach(row -> say(row.line()));
        begin();
    }

    /** Prints the header of the goals. */
    static void begin() {
        say("");
        say("| goal | wanted | measured | held |");
        say("|---|---|---|---|");
    }

    static void atMost(String goal, double wanted, double measured) {
        say("| %s | <= %.2f | %.2f | %s |".formatted(goal, wanted, measured, measured <= wanted ? "yes" : "no"));
    }

    static void atLeast(String goal, double wanted, double measured) {
        say("| %s | >= %.2f | %.2f | %s |".formatted(goal, wanted, measured, measured >= wanted ? "yes" : "no"));
    }

    /** Prints a figure without a goal. */
    static void beside(String figure, double measured) {
        say("| %s | | %.2f | |".formatted(figure, measured));
    }

    static void say(String line) {
        System.out.println(line);
    }
}
