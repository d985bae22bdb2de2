package io.mcpbridge.process;

/** Texts for messages, with what a terminal could take for a command made visible. */
final class Escaped {
    private Escaped() {}

    static String text(String text) {
        var shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }
}
