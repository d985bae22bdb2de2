package io.mcpbridge.cli.trail;

/** Words of others, as they can be shown to people. */
public final class PlainText {

    private PlainText() {}

    /** The text with everything that could move a terminal's cursor or hide letters escaped. */
    public static String of(String text) {
        var shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isHidden(Character.getType(c))) {
                shown.append("\\u{%x}".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private static boolean isHidden(int type) {
        return switch (type) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }
}
