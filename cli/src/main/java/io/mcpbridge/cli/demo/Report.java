package io.mcpbridge.cli.demo;

import java.util.function.Consumer;

/** Tells what the demonstration does and remembers whether all of it held. Used by one thread. */
final class Report {
    private final Consumer<String> lines;
    private int held;
    private int failed;

    Report(Consumer<String> lines) {
        this.lines = lines;
    }

    void heading(String text) {
        lines.accept("");
        lines.accept("@|bold " + text + "|@");
    }

    void tell(String text) {
        lines.accept("  " + text);
    }

    /** Tells a statement with whether it holds. */
    void check(boolean holds, String statement) {
        if (holds) {
            held++;
            lines.accept("  @|green ok|@    " + statement);
        } else {
            failed++;
            lines.accept("  @|red FAILED|@ " + statement);
        }
    }

    boolean allHeld() {
        return failed == 0 && held > 0;
    }

    void conclude() {
        lines.accept("");
        lines.accept(
                allHeld()
                        ? "@|bold,green All %d checks held.|@".formatted(held)
                        : "@|bold,red %d of %d checks failed.|@".formatted(failed, held + failed));
    }
}
