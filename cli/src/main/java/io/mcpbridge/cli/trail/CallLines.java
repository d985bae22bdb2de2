package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.failure.VisibleText;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** One line for each call, denial and note, for people. Words of others are escaped. Immutable. */
public final class CallLines implements TrailForm {
    private final Layout layout;
    private final UnaryOperator<String> paint;

    private CallLines(Layout layout, UnaryOperator<String> paint) {
        this.layout = layout;
        this.paint = paint;
    }

    /** Lines that are as long as they have to be, for files and pipes. */
    public static CallLines unbounded() {
        return new CallLines(Layout.unbounded(), UnaryOperator.identity());
    }

    /**
     * Lines for a terminal.
     *
     * @param width of the terminal in characters
     * @param paint gives an outcome its colour
     */
    public static CallLines fitting(int width, UnaryOperator<String> paint) {
        return new CallLines(Layout.fitting(width), paint);
    }

    /** The line above the others. */
    public String header() {
        return layout.line(String.join(
                " ",
                layout.cell(0, "TIME"),
                layout.cell(1, "CALL"),
                layout.cell(2, "WHO"),
                layout.cell(3, "CLIENT"),
                layout.cell(4, "TOOL"),
                layout.cell(5, "OUTCOME"),
                layout.cell(6, "TOOK"),
                layout.cell(7, "TRY"),
                layout.cell(8, "BOX")));
    }

    @Override
    public Optional<String> text(AuditLine record, TrailEntry entry) {
        return record.type() == RecordType.ENTER ? Optional.empty() : Optional.of(line(entry));
    }

    @Override
    public Optional<String> open(TrailEntry entry) {
        return Optional.of(line(entry));
    }

    private String line(TrailEntry entry) {
        var time = layout.cell(0, layout.moment(entry.begun().time()));
        if (entry.type() == RecordType.NOTE) {
            return layout.line(
                    "%s note: %s".formatted(time, VisibleText.of(entry.ending().words())));
        }
        var begin = String.join(
                " ",
                time,
                id(entry.begun().call()),
                layout.cell(2, VisibleText.of(entry.begun().principal())),
                layout.cell(3, VisibleText.of(entry.begun().client())),
                layout.cell(4, VisibleText.of(tool(entry.begun()))));
        var end = " %s %s %s %s"
                .formatted(
                        layout.cell(6, measured(entry, span(entry.ending().duration()))),
                        layout.cell(
                                7, measured(entry, Long.toString(entry.ending().attempts()))),
                        layout.cell(8, VisibleText.of(entry.begun().sandbox())),
                        layout.hasRoomForWords() ? VisibleText.of(entry.ending().words()) : "");
        return withOutcome(
                begin + " ", layout.cell(5, VisibleText.of(entry.ending().outcome())), end);
    }

    /** Painted last, since what paints has no width. */
    private String withOutcome(String begin, String outcome, String end) {
        var line = layout.line(begin + outcome + end);
        var to = begin.length() + outcome.stripTrailing().length();
        if (to > line.length()) {
            return line;
        }
        return line.substring(0, begin.length()) + paint.apply(line.substring(begin.length(), to)) + line.substring(to);
    }

    /** The beginning of an id, which is enough to look for it. */
    private String id(String call) {
        var plain = VisibleText.of(call);
        var width = layout.columns().get(1);
        return layout.cell(1, plain.length() > width ? plain.substring(0, width) : plain);
    }

    private static String tool(Beginning begun) {
        return begun.server().isEmpty() ? begun.tool() : begun.server() + "." + begun.tool();
    }

    /** Whoever ended a call after a crash does not know how long it took, nor whether its server was asked. */
    private static String measured(TrailEntry entry, String text) {
        if (entry.type() != RecordType.EXIT) {
            return "";
        }
        return entry.ending().isMeasured() ? text : "-";
    }

    private static String span(Duration duration) {
        long millis = duration.toMillis();
        return millis < 10_000 ? millis + "ms" : String.format(Locale.ROOT, "%ds", millis / 1_000);
    }
}
