package io.mcpbridge.audit.redact;

import io.mcpbridge.audit.internal.json.JsonStrings;

/**
 * Shows what a terminal, an editor or a log reader would obey or hide rather than show: controls, marks that turn the
 * direction of writing, line ends of all kinds, surrogates that stand alone.
 *
 * <p>Each stands as {@code \}{@code u} and four digits. A backslash before a {@code u} is shown in the same way, so that
 * no text looks like another one, and the text can be had back.
 */
final class EscapedText {

    private EscapedText() {}

    /** A text that people read. */
    static String of(String text) {
        int at = firstHidden(text, true);
        if (at == text.length()) {
            return text;
        }
        var shown = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (; at < text.length(); at++) {
            append(shown, text, at, true);
        }
        return shown.toString();
    }

    /** A text that is JSON, in which the same escapes stand for the same characters anyway. */
    static String ofJson(String json) {
        int at = firstHidden(json, false);
        if (at == json.length()) {
            return json;
        }
        var shown = new StringBuilder(json.length() + 16).append(json, 0, at);
        for (; at < json.length(); at++) {
            append(shown, json, at, false);
        }
        return shown.toString();
    }

    private static int firstHidden(String text, boolean escapesBackslash) {
        int at = 0;
        while (at < text.length() && !isHidden(text, at, escapesBackslash)) {
            at++;
        }
        return at;
    }

    private static void append(StringBuilder shown, String text, int at, boolean escapesBackslash) {
        if (isHidden(text, at, escapesBackslash)) {
            JsonStrings.unicode(shown, text.charAt(at));
        } else {
            shown.append(text.charAt(at));
        }
    }

    private static boolean isHidden(String text, int at, boolean escapesBackslash) {
        char c = text.charAt(at);
        if (c < 0x7F) {
            return c < ' ' || (c == '\\' && escapesBackslash && at + 1 < text.length() && text.charAt(at + 1) == 'u');
        }
        return Character.isSurrogate(c) ? isAlone(text, at) : isHidden(c);
    }

    private static boolean isHidden(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }

    private static boolean isAlone(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }
}
