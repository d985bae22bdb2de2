package io.mcpbridge.benchmarks;

import java.util.List;

/** Prints the tables of measurements and goals. The report reads the lines of goals. */
final class Goals {
    /** Begins the lines of goals. */
    static final String HEADER = "| goal | wanted | measured | |";
    /** Begins the names of goals about errors. */
    static final String ERRORS = "errors, ";
    /** The last cell of a goal that is reached. */
    static final String PASS = "pass";
    /** The last cell of a goal that is not reached. */
    static final String SHORT = "short";

    private Goals() {}

    /** Prints the rows and the header of the goals. */
    static void begin(List<Row> rows) {
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

    /** An error, a wrong answer or a stuck caller makes this goal short. */
    static void noErrors(String part, long errors) {
        atMost(ERRORS + part, 0, (double) errors);
    }

    /** Prints a figure without a goal. */
    static void beside(String figure, double measured) {
        say("| %s | | %.2f | |".formatted(figure, measured));
    }

    static void say(String line) {
        System.out.println(line);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
