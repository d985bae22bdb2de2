package io.mcpbridge.audit.redact;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Function;

/**
 * Finds words in which a secret stands encoded: in Base64 of either alphabet, in hexadecimal digits, or with percent
 * signs as addresses have it. Such a word is secret as a whole. All words of a text are looked at at once, decoded.
 */
final class EncodedForms {
    private static final int SHORTEST = 11;
    private static final int SHORTEST_WRAPPED_LINE = 60;

    private final Function<String, Findings> search;

    /** Forms of texts in which the search finds a secret. */
    EncodedForms(Function<String, Findings> search) {
        this.search = search;
    }

    void find(String text, Findings findings) {
        if (text.length() < SHORTEST) {
            return;
        }
        var words = new DecodedWords();
        addPercent(text, words);
        addDigits(text, words);
        if (!words.isEmpty()) {
            words.find(search, findings);
        }
    }

    private static void addPercent(String text, DecodedWords words) {
        int from = 0;
        for (int sign = text.indexOf('%'); sign >= 0; sign = text.indexOf('%', from)) {
            int start = sign;
            while (start > from && !Characters.isSeparator(text.charAt(start - 1))) {
                start--;
            }
            int end = Characters.runEnd(text, sign, each -> !Characters.isSeparator(each));
            words.add(percentDecoded(text.substring(start, end)), start, end);
            from = end;
        }
    }

    private static void addDigits(String text, DecodedWords words) {
        int at = 0;
        while (at < text.length()) {
            int end = runEnd(text, at);
            if (end - at >= SHORTEST) {
                addDecoded(text, at, end, words);
            }
            at = end + 1;
        }
    }

    /** Where a run of Base64 ends, which goes on in the next line where its lines are as long as mail has them. */
    private static int runEnd(String text, int from) {
        int line = from;
        while (true) {
            int end = Characters.runEnd(text, line, Characters::isBase64);
            int next = Characters.runEnd(text, end, each -> each == '\r' || each == '\n');
            if (end - line < SHORTEST_WRAPPED_LINE || next == end || next == text.length()) {
                return end;
            }
            line = next;
        }
    }

    /** What stands before the encoded secret may be of the same alphabet, so that it can begin at any of four places. */
    private static void addDecoded(String text, int from, int to, DecodedWords words) {
        var plain = plain(text, from, to);
        if (isHex(plain)) {
            words.add(new String(HexFormat.of().parseHex(plain), ISO_8859_1), from, to);
        }
        for (int shift = 0; shift < 4; shift++) {
            int usable = plain.length() - shift;
            var digits = plain.substring(shift, usable % 4 == 1 ? plain.length() - 1 : plain.length());
            words.add(new String(Base64.getDecoder().decode(digits), ISO_8859_1), from, to);
        }
    }

    /** In the common alphabet, without line ends. */
    private static String plain(String text, int from, int to) {
        var plain = new StringBuilder(to - from);
        for (int at = from; at < to; at++) {
            char c = text.charAt(at);
            if (c != '\r' && c != '\n') {
                plain.append(c == '-' ? '+' : c == '_' ? '/' : c);
            }
        }
        return plain.toString();
    }

    private static boolean isHex(String run) {
        return run.length() % 2 == 0 && run.chars().allMatch(Characters::isHex);
    }

    private static String percentDecoded(String word) {
        var bytes = new ByteArrayOutputStream(word.length());
        var raw = word.getBytes(UTF_8);
        for (int at = 0; at < raw.length; at++) {
            if (raw[at] == '%'
                    && at + 2 < raw.length
                    && Characters.isHex(raw[at + 1])
                    && Characters.isHex(raw[at + 2])) {
                bytes.write(Integer.parseInt(new String(raw, at + 1, 2, ISO_8859_1), 16));
                at += 2;
            } else {
                bytes.write(raw[at] == '+' ? ' ' : raw[at]);
            }
        }
        return bytes.toString(UTF_8);
    }
}
