package io.mcpbridge.audit.redact;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Finds tokens that begin as their issuers make them begin. Looks at each character a bounded number of times.
 *
 * <p>Such beginnings are long enough that one is found in the middle of a word too.
 */
final class TokenShapes {
    private static final int ASCII = 128;

    /** The shapes by the first character of their prefix. */
    private static final List<List<Shape>> SHAPES = byFirst(List.of(
            new Shape("AKIA", 16, Characters::isUpperOrDigit),
            new Shape("ASIA", 16, Characters::isUpperOrDigit),
            new Shape("ABIA", 16, Characters::isUpperOrDigit),
            new Shape("ACCA", 16, Characters::isUpperOrDigit),
            new Shape("ghp_", 30, Characters::isAlphanumeric),
            new Shape("gho_", 30, Characters::isAlphanumeric),
            new Shape("ghu_", 30, Characters::isAlphanumeric),
            new Shape("ghs_", 30, Characters::isAlphanumeric),
            new Shape("ghr_", 30, Characters::isAlphanumeric),
            new Shape("github_pat_", 20, Characters::isWord),
            new Shape("glpat-", 16, Characters::isWord),
            new Shape("xoxb-", 10, Characters::isWord),
            new Shape("xoxp-", 10, Characters::isWord),
            new Shape("xoxa-", 10, Characters::isWord),
            new Shape("xoxr-", 10, Characters::isWord),
            new Shape("xoxs-", 10, Characters::isWord),
            new Shape("xapp-", 10, Characters::isWord),
            new Shape("AIza", 30, Characters::isWord),
            new Shape("ya29.", 16, Characters::isWord),
            new Shape("sk-", 20, Characters::isWord),
            new Shape("sk_live_", 16, Characters::isAlphanumeric),
            new Shape("sk_test_", 16, Characters::isAlphanumeric),
            new Shape("rk_live_", 16, Characters::isAlphanumeric),
            new Shape("whsec_", 16, Characters::isToken),
            new Shape("npm_", 30, Characters::isAlphanumeric),
            new Shape("pypi-", 16, Characters::isWord),
            new Shape("hf_", 30, Characters::isAlphanumeric),
            new Shape("dop_v1_", 30, Characters::isAlphanumeric),
            new Shape("SG.", 40, c -> Characters.isWord(c) || c == '.'),
            new Shape("AGE-SECRET-KEY-", 20, Characters::isUpperOrDigit)));

    private TokenShapes() {}

    /**
     * One shape.
     *
     * @param shortest how many characters of the kind must follow the prefix
     */
    private record Shape(String prefix, int shortest, IntPredicate kind) {

        /** Where such a token ends that begins here; the position itself if none does. */
        int end(String text, int at) {
            int from = at + prefix.length();
            if (!text.startsWith(prefix, at) || from + shortest > text.length()) {
                return at;
            }
            for (int i = from; i < from + shortest; i++) {
                if (!kind.test(text.charAt(i))) {
                    return at;
                }
            }
            return Characters.runEnd(text, from + shortest, kind);
        }
    }

    static void find(String text, Findings findings) {
        int at = 0;
        while (at < text.length()) {
            int end = end(text, at);
            findings.add(at, end);
            at = Math.max(end, at + 1);
        }
    }

    private static int end(String text, int at) {
        char first = text.charAt(at);
        if (first < ASCII) {
            for (var shape : SHAPES.get(first)) {
                int end = shape.end(text, at);
                if (end > at) {
                    return end;
                }
            }
        }
        return at;
    }

    private static List<List<Shape>> byFirst(List<Shape> shapes) {
        return IntStream.range(0, ASCII)
                .mapToObj(first -> shapes.stream()
                        .filter(each -> each.prefix.charAt(0) == first)
                        .toList())
                .toList();
    }
}
