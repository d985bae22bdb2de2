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

    private static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }
}
