package io.mcpbridge.cli.trail;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * How wide the columns of calls are.
 *
 * @param time how a moment is written
 * @param width of a whole line, zero where nothing is cut
 * @param columns the width of each cell but the last, negative where it is aligned to the right
 */
record Layout(String time, int width, List<Integer> columns) {
    private static final String SHORT_TIME = "MM-dd HH:mm:ss'Z'";
    private static final String LONG_TIME = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";
    private static final int SHORT_CALL = 8;
    private static final int LONG_CALL = 16;
    private static final int OUTCOME = 14;
    private static final int DURATION = 6;
    private static final int ATTEMPTS = 3;
    private static final int SANDBOX = 3;

    /** From here on there is room for whole ids, and for words at the end. */
    private static final int WIDE = 130;

    private static final int NARROWEST = 80;
    private static final int NAME = "CLIENT".length();

    /** For files and pipes: nothing is cut. */
    static Layout unbounded() {
        return new Layout(LONG_TIME, 0, List.of(24, LONG_CALL, 12, 12, 32, OUTCOME, -DURATION, -ATTEMPTS, SANDBOX));
    }

    /** For a terminal so many characters wide. */
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
                LONG_TIME, width, List.of(24, LONG_CALL, name, name, 2 * name, OUTCOME, -DURATION, -ATTEMPTS, SANDBOX));
    }

    boolean hasRoomForWords() {
        return width == 0 || width >= WIDE;
    }

    String moment(Instant moment) {
        return DateTimeFormatter.ofPattern(time, Locale.ROOT)
                .withZone(ZoneOffset.UTC)
                .format(moment);
    }

    /** One cell, as wide as its column; of what is too long, the beginning. */
    String cell(int column, String text) {
        var aligned = columns.get(column);
        var wanted = Math.abs(aligned);
        var shown = width > 0 ? cut(text, wanted) : text;
        var blanks = " ".repeat(Math.max(0, wanted - shown.length()));
        return aligned < 0 ? blanks + shown : shown + blanks;
    }

    /** A whole line, cut where it must fit. */
    String line(String text) {
        var stripped = text.stripTrailing();
        return width > 0 ? cut(stripped, width) : stripped;
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }
}
