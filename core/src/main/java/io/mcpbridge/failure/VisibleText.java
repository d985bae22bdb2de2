package io.mcpbridge.failure;

/** Texts of others as people may be shown them, in messages, logs and tables. Pure. */
public final class VisibleText {
    private VisibleText() {}

    /** With everything escaped, as in <code>&#92;u{202e}</code>, that moves a terminal's cursor or that nobody would see. */
    public static String of(String text) {
        var shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> append(shown, c));
        return shown.toString();
    }

    /** The same, of no more than the first {@code longest} characters, and with an ellipsis where there were more. */
    public static String beginning(String text, int longest) {
        return text.length() <= longest ? of(text) : of(text.substring(0, longest)) + "…";
    }

    /** The same as one line: ends of lines become {@code |}, and tabs blanks. */
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

    private static void append(StringBuilder shown, int c) {
        if (isHidden(c)) {
            shown.append("\\u{%x}".formatted(c));
        } else {
            shown.appendCodePoint(c);
        }
    }

    /**
     * Whether nobody would see it who reads a text: control characters, ends of lines and tabs among them, marks of direction,
     * blanks without width, tags, selectors of variants save the one that makes a picture coloured, private ones.
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

    /** Whether it is blank, though its type does not say so. */
    private static boolean isBlank(int c) {
        return c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x2800 || c == 0x3164 || c == 0xFFA0;
    }

    private static boolean isSelector(int c) {
        return (c >= 0xFE00 && c <= 0xFE0E) || (c >= 0xE0100 && c <= 0xE01EF) || (c >= 0x180B && c <= 0x180F);
    }
}
