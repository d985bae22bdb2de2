package io.mcpbridge.benchmarks;

import java.util.List;

/** Prints the tables of measurements and goals. The report, the gate and the script read the lines of goals. */
final class Goals {
    /** Begins the lines of goals. */
    static final String HEADER = "| goal | wanted | measured | |";

    private static final String PASS = "pass";
    private static final String SHORT = "short";

    private Goals() {}

    /** Prints a table of rows, and begins the goals. */
    static void table(List<Row> rows) {
        say("| | callers | calls/s | p50 us | p99 us | errors |");
        say("|---|---|---|---|---|---|");
        rows.forEach(row -> say(row.line()));
        begin();
    }

    /** Prints the header of the goals. */
    static void begin() {
        say("");
        say(HEADER);
        say("|---|---|---|---|");
    }

    static void atMost(String goal, double wanted, double measured) {
        say("| %s | ≤ %s | %.2f | %s |".formatted(goal, number(wanted), measured, measured <= wanted ? PASS : SHORT));
    }

    static void atLeast(String goal, double wanted, double measured) {
        say("| %s | ≥ %s | %.2f | %s |".formatted(goal, number(wanted), measured, measured >= wanted ? PASS : SHORT));
    }

    /** An error, a wrong answer or a stuck caller makes this goal short, at which {@code run.sh} fails. */
    static void noErrors(String part, List<Row> rows) {
        atMost("errors, " + part, 0, (double)
                rows.stream().mapToLong(Row::errors).sum());
    }

    /** Prints a figure without a goal. */
    static void figure(String name, double measured) {
        say("| %s | | %.2f | |".formatted(name, measured));
    }

    static void say(String line) {
        System.out.println(line);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
