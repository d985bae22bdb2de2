package io.mcpbridge.audit.redact;

import java.util.Locale;
import java.util.Set;

/**
 * Finds secrets by what they look like: JWTs, private keys, credentials behind {@code Bearer} and {@code Basic},
 * passwords in addresses. Looks at each character a bounded number of times.
 */
final class SecretShapes {
    private static final String PEM_BEGIN = "-----BEGIN ";
    private static final String PEM_END = "-----END ";
    private static final String DASHES = "-----";
    private static final int LONGEST_PEM_TITLE = 64;
    private static final int SHORTEST_CREDENTIAL = 6;
    private static final int SHORTEST_LONE_TOKEN = 16;

    /** What follows {@code Bearer} and {@code Basic} in sentences about them. */
    private static final Set<String> NO_CREDENTIALS = Set.of(
            "access",
            "auth",
            "authentication",
            "authorization",
            "challenge",
            "credential",
            "credentials",
            "error",
            "functionality",
            "header",
            "information",
            "realm",
            "required",
            "scheme",
            "schemes",
            "token",
            "tokens");

    private SecretShapes() {}

    static void find(String text, Findings findings) {
        TokenShapes.find(text, findings);
        for (int at = text.indexOf("eyJ"); at >= 0; at = text.indexOf("eyJ", at)) {
            at = jwt(text, at, findings);
        }
        for (int at = text.indexOf(PEM_BEGIN); at >= 0; at = text.indexOf(PEM_BEGIN, at)) {
            at = privateKey(text, at, findings);
        }
        for (int at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at)) {
            at = password(text, at + 3, findings);
        }
        credentials(text, findings);
    }

    /** Header, payload and signature with dots between; returns where to look on, behind the run in any case. */
    private static int jwt(String text, int at, Findings findings) {
        int header = Characters.runEnd(text, at, Characters::isWord);
        if (header == text.length() || text.charAt(header) != '.') {
            return header;
        }
        int payload = Characters.runEnd(text, header + 1, Characters::isWord);
        if (payload - header < 5) {
            return header;
        }
        int end = payload;
        while (end < text.length() && text.charAt(end) == '.') {
            end = Characters.runEnd(text, end + 1, Characters::isWord);
        }
        findings.add(at, end);
        return end;
    }

    /** To the end of its last line, or of the text where that is missing. */
    private static int privateKey(String text, int at, Findings findings) {
        int from = at + PEM_BEGIN.length();
        int title = text.indexOf(DASHES, from);
        if (title < 0
                || title - from > LONGEST_PEM_TITLE
                || !text.substring(from, title).contains("PRIVATE KEY")) {
            return from;
        }
        int last = text.indexOf(PEM_END, title);
        int dashes = last < 0 ? -1 : text.indexOf(DASHES, last + PEM_END.length());
        int end = dashes < 0 ? text.length() : dashes + DASHES.length();
        findings.add(at, end);
        return end;
    }

    /**
     * What stands between a user's colon and the last {@code @} of the address, or a long user without a colon; returns
     * where to look on. An address within this one that holds a password too is a part of what was found.
     */
    private static int password(String text, int from, Findings findings) {
        int colon = -1;
        int sign = -1;
        int at = from;
        for (; at < text.length() && !Characters.isSeparator(text.charAt(at)); at++) {
            char c = text.charAt(at);
            if (c == ':' && colon < 0) {
                colon = at;
            } else if (c == '@') {
                sign = at;
            } else if ((c == '/' || c == '?' || c == '#') && (colon < 0 || sign >= 0 || isPort(text, colon + 1, at))) {
                break;
            }
        }
        int start = colon >= 0 && colon < sign ? colon + 1 : from;
        if (start > from ? sign > start : sign - from >= SHORTEST_LONE_TOKEN) {
            findings.add(start, sign);
        }
        // The slash that ended it may be the first one of the next address.
        return Math.max(from, at - 1);
    }

    private static boolean isPort(String text, int from, int to) {
        return to - from <= 5 && text.substring(from, to).chars().allMatch(each -> each >= '0' && each <= '9');
    }

    private static void credentials(String text, Findings findings) {
        for (int at = 0; at < text.length(); at++) {
            int scheme = scheme(text, at);
            if (scheme > at) {
                int from = Characters.runEnd(text, scheme, each -> each == ' ' || each == '\t');
                int end = Characters.runEnd(text, from, Characters::isToken);
                if (end - from >= SHORTEST_CREDENTIAL && isCredential(text.substring(from, end))) {
                    findings.add(from, end);
                }
                at = scheme;
            }
        }
    }

    private static int scheme(String text, int at) {
        char first = text.charAt(at);
        if (first != 'b' && first != 'B') {
            return at;
        }
        int end = text.regionMatches(true, at, "bearer", 0, 6) ? at + 6 : at;
        end = text.regionMatches(true, at, "basic", 0, 5) ? at + 5 : end;
        return end > at && end < text.length() && text.charAt(end) == ' ' ? end : at;
    }

    private static boolean isCredential(String run) {
        return !NO_CREDENTIALS.contains(run.toLowerCase(Locale.ROOT));
    }
}
