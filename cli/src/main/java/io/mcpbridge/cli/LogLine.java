package io.mcpbridge.cli;

import io.mcpbridge.failure.VisibleText;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Writes a record of the log as one line, and its exception as the lines that the JDK would write.
 *
 * <p>Servers and clients have a say in many messages. So whatever a terminal would obey or nobody would see is escaped
 * here, in messages and in those of exceptions: no peer can write a line of its own. Any thread may use it.
 */
final class LogLine extends Formatter {
    private static final String LINE = "%1$tFT%1$tT.%1$tL %2$-7s %3$s%n";

    /** More of a message is not shown; what quotes a peer is cut much sooner. */
    private static final int LONGEST = 16_000;

    /** So many exceptions of one record are shown. */
    private static final int MOST_CAUSES = 50;

    @Override
    public String format(LogRecord entry) {
        var line = LINE.formatted(
                entry.getMillis(), entry.getLevel().getLocalizedName(), oneLine(String.valueOf(formatMessage(entry))));
        return entry.getThrown() == null ? line : line + trace(entry.getThrown());
    }

    private static String trace(Throwable thrown) {
        var lines = new StringBuilder();
        var waiting = new ArrayDeque<Titled>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        waiting.add(new Titled("", thrown));
        while (!waiting.isEmpty() && seen.size() < MOST_CAUSES) {
            var next = waiting.remove();
            if (seen.add(next.thrown)) {
                next.write(lines);
                next.addCauses(waiting);
            }
        }
        return lines.toString();
    }

    private static String oneLine(String text) {
        return VisibleText.line(text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…");
    }

    /** An exception, and how it is announced. */
    private record Titled(String title, Throwable thrown) {

        void write(StringBuilder lines) {
            lines.append(title).append(oneLine(thrown.toString())).append(System.lineSeparator());
            for (var frame : thrown.getStackTrace()) {
                lines.append("\tat ").append(oneLine(frame.toString())).append(System.lineSeparator());
            }
        }

        void addCauses(Deque<Titled> waiting) {
            for (var suppressed : thrown.getSuppressed()) {
                waiting.add(new Titled("\tSuppressed: ", suppressed));
            }
            if (thrown.getCause() != null) {
                waiting.addFirst(new Titled("Caused by: ", thrown.getCause()));
            }
        }
    }
}
