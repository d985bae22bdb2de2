package io.mcpbridge.audit.redact;

import java.util.Locale;

/**
 * Finds what a text gives to a secret name: {@code password=…}, {@code "token": "…"}, {@code --secret …}, {@code
 * Cookie: …}. Looks at each character a bounded number of times.
 */
final class AssignedValues {
    private static final int LONGEST_NAME = 64;

    private final SecretNames names;

    AssignedValues(SecretNames names) {
        this.names = names;
    }

    void find(String text, Findings findings) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '=' || c == ':') {
                at = Math.max(at, assignment(text, at, findings));
            } else if (c == '-' && text.startsWith("--", at)) {
                option(text, at + 2, findings);
            } else if (c == '-' && text.startsWith("-u", at) && isWordBegin(text, at)) {
                user(text, at + 2, findings);
            } else if ((c == '"' || c == '\'' || c == '`') && at > 0 && text.charAt(at - 1) == ' ') {
                quoted(text, at, findings);
            }
        }
    }

    /** A name, perhaps in quotes, before a sign; returns where the value ends. */
    private int assignment(String text, int sign, Findings findings) {
        int end = sign;
        while (end > 0 && sign - end < 3 && " \"'`\\]".indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        var name = nameBefore(text, end);
        if (name.isEmpty() || !names.hides(name)) {
            return sign;
        }
        int from = Characters.runEnd(text, sign + 1, each -> " \t=>\"'`\\".indexOf(each) >= 0);
        int valueEnd = isWholeLine(name) ? lineEnd(text, from) : valueEnd(text, from);
        findings.add(from, valueEnd);
        return valueEnd;
    }

    /** {@code --name value}, as a command line has it. */
    private void option(String text, int from, Findings findings) {
        int most = Math.min(text.length(), from + LONGEST_NAME);
        int end = from;
        while (end < most && Characters.isWord(text.charAt(end))) {
            end++;
        }
        if (text.startsWith("user", from) && end == from + 4) {
            user(text, end, findings);
        } else if (end < text.length() && text.charAt(end) == ' ' && names.hides(text.substring(from, end))) {
            int value = Characters.runEnd(text, end, each -> " \"'".indexOf(each) >= 0);
            findings.add(value, valueEnd(text, value));
        }
    }

    private static boolean isWordBegin(String text, int at) {
        return at == 0 || Characters.isSeparator(text.charAt(at - 1));
    }

    /** {@code -u name:password} and {@code --user name:password}, as commands take them that speak to servers. */
    private static void user(String text, int from, Findings findings) {
        int start = Characters.runEnd(text, from, each -> " =\"'".indexOf(each) >= 0);
        int colon = Characters.runEnd(text, start, each -> each != ':' && !Characters.isSeparator(each));
        if (colon > start && colon < text.length() && text.charAt(colon) == ':') {
            findings.add(colon + 1, valueEnd(text, colon + 1));
        }
    }

    /** {@code the password 'x' is wrong}, as errors have it. */
    private void quoted(String text, int quote, Findings findings) {
        var name = nameBefore(text, quote - 1);
        int end = text.indexOf(text.charAt(quote), quote + 1);
        if (!name.isEmpty() && end > 0 && names.hides(name)) {
            findings.add(quote + 1, end);
        }
    }

    private static String nameBefore(String text, int end) {
        int least = Math.max(0, end - LONGEST_NAME);
        int start = end;
        while (start > least && isName(text.charAt(start - 1))) {
            start--;
        }
        return text.substring(start, end);
    }

    private static boolean isName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
    }

    private static boolean isWholeLine(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith("authorization") || lower.endsWith("cookie");
    }

    private static int lineEnd(String text, int from) {
        return Characters.runEnd(text, from, each -> "\r\n\"'`<>{}\\".indexOf(each) < 0);
    }

    private static int valueEnd(String text, int from) {
        return Characters.runEnd(text, from, each -> !Characters.isSeparator(each) && each != '&' && each != '\\');
    }
}
