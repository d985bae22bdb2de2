package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.failure.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats each call, denial and note as one line for people. Text of peers is escaped. Immutable. */
public final class TextTrailForm implements TrailForm {
    private final Layout layout;
    private final UnaryOperator<String> paint;

    private TextTrailForm(Layout layout, UnaryOperator<String> paint) {
        this.layout = layout;
        this.paint = paint;
    }

    /** Lines of any length, for files and pipes. */
    public static TextTrailForm unbounded() {
        return new TextTrailForm(Layout.unbounded(), UnaryOperator.identity());
    }

    /**
     * Lines for a terminal.
     *
     * @param width the width of the terminal in characters
     * @param paint adds the colour to an outcome
     */
    public static TextTrailForm fitting(int width, UnaryOperator<String> paint) {
        return new TextTrailForm(Layout.fitting(width), paint);
    }

    @Override
    public Optional<String> header() {
        var cells = layout.cells(0, "TIME", "CALL", "WHO", "CLIENT", "TOOL", "OUTCOME", "TOOK", "TRY", "BOX");
        return Optional.of(layout.line(cells));
    }

    @Override
    public Optional<String> text(ParsedRecord record, TrailEntry entry) {
        return record.type() == RecordType.ENTER ? Optional.empty() : Optional.of(line(entry));
    }

    @Override
    public Optional<String> open(TrailEntry entry) {
        return Optional.of(line(entry));
    }

    private String line(TrailEntry entry) {
        var begun = entry.begun();
        var ending = entry.ending();
        var time = layout.moment(begun.time());
        if (entry.type() == RecordType.NOTE) {
            return layout.line(layout.cells(0, time) + " note: " + VisibleText.of(ending.words()));
        }
        var begin = layout.cells(0, time, id(begun.call()), begun.principal(), begun.client(), begun.qualifiedTool());
        var duration = measured(entry, span(ending.duration()));
        var attempts = measured(entry, Long.toString(ending.attempts()));
        var words = layout.hasRoomForWords() ? VisibleText.of(ending.words()) : "";
        return withOutcome(
                begin + " ",
                layout.cells(5, ending.outcome()),
                " " + layout.cells(6, duration, attempts, begun.sandbox()) + " " + words);
    }

    /** Colours the outcome last, since colour codes have no width. */
    private String withOutcome(String begin, String outcome, String end) {
        var line = layout.line(begin + outcome + end);
        var to = begin.length() + outcome.stripTrailing().length();
        if (to > line.length()) {
            return line;
        }
        return line.substring(0, begin.length()) + paint.apply(line.substring(begin.length(), to)) + line.substring(to);
    }

    /** The beginning of an id, which suffices to search for it. */
    private String id(String call) {
        var plain = VisibleText.of(call);
        var width = layout.columns().get(1);
        return plain.length() > width ? plain.substring(0, width) : plain;
    }

    /**
     * The duration or attempts of an exit; {@code -} if a start ended the call after a crash, since they are unknown
     * then.
     */
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

    /**
     * The widths of the columns of calls.
     *
     * @param time the pattern of times
     * @param width the width of a whole line; zero if nothing is cut
     * @param columns the width of each cell except for the last; negative if it is aligned to the right
     */
    private record Layout(String time, int width, List<Integer> columns) {
        private static final String SHORT_TIME = "MM-dd HH:mm:ss'Z'";
        private static final String LONG_TIME = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";
        private static final int SHORT_CALL = 8;
        private static final int LONG_CALL = 16;
        private static final int OUTCOME = 14;
        private static final int DURATION = 6;
        private static final int ATTEMPTS = 3;
        private static final int SANDBOX = 3;

        /** The least width of a terminal that shows complete ids, and error texts at the end. */
        private static final int WIDE = 130;

        private static final int NARROWEST = 80;
        private static final int NAME = "CLIENT".length();

        /** The layout for files and pipes, where nothing is cut. */
        static Layout unbounded() {
            return new Layout(LONG_TIME, 0, List.of(24, LONG_CALL, 12, 12, 32, OUTCOME, -DURATION, -ATTEMPTS, SANDBOX));
        }

        /** The layout for a terminal of this width in characters. */
        static Layout fitting(int width) {
            return width < WIDE ? narrow(Math.max(width, NARROWEST)) : wide(width);
        }

        private static Layout narrow(int width) {
            var rest = width - (15 + SHORT_CALL + OUTCOME + DURATION + ATTEMPTS + SANDBOX + 8);
            var name = Math.max(NAME, rest / 4);
            return new Layout(
                    SHORT_TIME,
                    width,
                    List.of(15, SHORT_CALL, name, name, rest - 2 * name, OUTCOME, -DURATION, -ATTEMPTS, SANDBOX));
        }

        private static Layout wide(int width) {
            var rest = width - (24 + LONG_CALL + OUTCOME + DURATION + ATTEMPTS + SANDBOX + 9);
            var name = rest / 6;
            return new Layout(
                    LONG_TIME,
                    width,
                    List.of(24, LONG_CALL, name, name, 2 * name, OUTCOME, -DURATION, -ATTEMPTS, SANDBOX));
        }

        boolean hasRoomForWords() {
            return width == 0 || width >= WIDE;
        }

        String moment(Instant moment) {
            return DateTimeFormatter.ofPattern(time, Locale.ROOT)
                    .withZone(ZoneOffset.UTC)
                    .format(moment);
        }

        /** Formats cells from a column on, padded or cut to the width of their column. */
        String cells(int first, String... texts) {
            return IntStream.range(0, texts.length)
                    .mapToObj(i -> cell(columns.get(first + i), VisibleText.of(texts[i])))
                    .collect(Collectors.joining(" "));
        }

        private String cell(int aligned, String text) {
            var wanted = Math.abs(aligned);
            var shown = width > 0 ? cut(text, wanted) : text;
            var blanks = " ".repeat(Math.max(0, wanted - shown.length()));
            return aligned < 0 ? blanks + shown : shown + blanks;
        }

        /** A whole line, cut to the width of the terminal. */
        String line(String text) {
            var stripped = text.stripTrailing();
            return width > 0 ? cut(stripped, width) : stripped;
        }

        private static String cut(String text, int width) {
            return text.length() <= width ? text : text.substring(0, width - 1) + "…";
        }
    }
}
