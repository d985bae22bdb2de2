package io.mcpbridge.sandbox.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** For how long one process and its threads have computed, read from {@code /proc}. */
final class CpuUse {
    /** Linux tells it to programs in hundredths of a second, whatever it counts in itself. */
    private static final long TICK_MILLIS = 10;

    /** What follows the name, which may hold anything: the state is the first, and the times are these. */
    private static final int USER = 11;

    private static final int SYSTEM = 12;

    private CpuUse() {}

    /** That a process has computed for longer than {@code most}, in a sentence; empty if it has not, or zero is no limit. */
    static Optional<String> overrun(Path process, Duration most) {
        return !most.isZero() && millis(process) > most.toMillis()
                ? Optional.of("it used more than %s of CPU time ('max-cpu')".formatted(shown(most)))
                : Optional.empty();
    }

    /** Ends a process that has; says so. */
    static Optional<String> end(Path process, Duration most) {
        if (overrun(process, most).isEmpty()) {
            return Optional.empty();
        }
        var handle = ProcessHandle.of(Long.parseLong(String.valueOf(process.getFileName())));
        // Looked at again, since the number may have become somebody else's before there was a handle.
        var why = overrun(process, most);
        if (why.isPresent()) {
            handle.ifPresent(ProcessHandle::destroyForcibly);
        }
        return why;
    }

    private static long millis(Path process) {
        var stat = TreeUse.text(process.resolve("stat"));
        var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", SYSTEM + 2);
        return fields.length <= SYSTEM ? 0 : (ticks(fields[USER]) + ticks(fields[SYSTEM])) * TICK_MILLIS;
    }

    private static long ticks(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException unknown) {
            return 0;
        }
    }

    private static String shown(Duration span) {
        var millis = span.toMillis();
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }
}
