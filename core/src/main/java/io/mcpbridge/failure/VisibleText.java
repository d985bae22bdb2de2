package io.mcpbridge.failure;

/** Escapes texts of peers, so that messages, logs and tables can show them safely. Pure. */
public final class VisibleText {
    private VisibleText() {}

    /** The text with invisible characters and terminal controls escaped, as in <code>&#92;u{202e}</code>. */
    public static String of(String text) {
        var shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> append(shown, c));
        return shown.toString();
    }

    /** The same for the first {@code longest} characters, with an ellipsis if there are more. */
    public static String beginning(String text, int longest) {
        return text.length() <= longest ? of(text) : of(text.substring(0, longest)) + "…";
    }

    /** The same in one line: line ends become {@code |}, and tabs become spaces. */
    public static String line(String text) {
        var shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> shown.append(" | ");
                case '\r' -> {}
                case '\t' -> shown.append(' ');
                default -> append(shown, c);
            }
        });
        return shown.toString();
    }

    /** The same in several lines: line ends and tabs stay. */
    public static String lines(String text) {
        var shown = new StringBuilder(text.length());
        text.replace("\r\n", "\n").codePoints().forEach(c -> {
            if (c == '\n' || c == '\t') {
                shown.append((char) c);
            } else {
                append(shown, c);
            }
        });
        return shown.toString();
    }

    /** The same JSON value with invisible characters in its strings as JSON escapes, as in <code>&#92;u202e</code>. */
    public static String json(String json) {
        var shown = new StringBuilder(json.length());
        json.codePoints().forEach(c -> {
            if (c < ' ' || !isHidden(c)) {
                shown.appendCodePoint(c);
            } else {
                Character.toString(c).chars().forEach(unit -> shown.append("\\u%04x".formatted(unit)));
            }
        });
        return shown.toString();
    }

    private static void append(StringBuilder shown, int c) {
        if (isHidden(c)) {
            shown.append("\\u{%x}".formatted(c));
        } else {
            shown.appendCodePoint(c);
        }
    }

    /**
     * Whether a character is invisible: control characters, line ends, tabs, direction marks, zero-width spaces, tags, private
     * characters, and variation selectors except the one for coloured pictures.
     */
    public static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE -> true;
            default -> isBlank(c) || isSelector(c);
        };
    }

    /** Whether a character is displayed as blank although its Unicode category is not a space. */
    private static boolean isBlank(int c) {
        return c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x2800 || c == 0x3164 || c == 0xFFA0;
    }

    private static boolean isSelector(int c) {
        return (c >= 0xFE00 && c <= 0xFE0E) || (c >= 0xE0100 && c <= 0xE01EF) || (c >= 0x180B && c <= 0x180F);
    }
}
