package io.mcpbridge.spi;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The patterns that find credentials by their form alone: tokens of well-known issuers, JSON Web Tokens, private keys,
 * and the credentials in HTTP headers and addresses.
 *
 * <p>Each pattern matches in linear time: repetitions are possessive or bounded.
 */
final class TokenPatterns {
    private static final String LETTERS_AND_DIGITS = "[0-9A-Za-z]";

    /** A word with a digit, or a long one, so that prose about authentication schemes stays unchanged. */
    private static final String CREDENTIAL =
            "[ \\t]{1,4}((?=[A-Za-z.~+/_-]{0,64}[0-9])[\\w.~+/=-]{6,}+|[\\w.~+/=-]{20,}+)";

    private static final List<TokenPattern> TOKENS = Stream.of(
                    TokenPattern.of("[0-9A-Z]{16,}+", "AKIA", "ASIA", "ABIA", "ACCA"),
                    TokenPattern.of(
                            LETTERS_AND_DIGITS + "{30,}+",
                            "ghp_",
                            "gho_",
                            "ghu_",
                            "ghs_",
                            "ghr_",
                            "npm_",
                            "hf_",
                            "dop_v1_"),
                    TokenPattern.of(LETTERS_AND_DIGITS + "{16,}+", "k_live_", "k_test_"),
                    TokenPattern.of("[\\w-]{10,}+", "xapp-"),
                    TokenPattern.of("[bpars]-[\\w-]{10,}+", "xox"),
                    TokenPattern.of("[\\w-]{16,}+", "glpat-", "ya29.", "pypi-"),
                    TokenPattern.of("[\\w-]{20,}+", "github_pat_", "sk-"),
                    TokenPattern.of("[\\w-]{30,}+", "AIza"),
                    TokenPattern.of("[\\w.~+/=-]{16,}+", "whsec_"),
                    TokenPattern.of("[\\w.-]{40,}+", "SG."),
                    TokenPattern.of("[0-9A-Z]{20,}+", "AGE-SECRET-KEY-"),
                    // JSON Web Token: header, payload and the following parts.
                    TokenPattern.of("(?<![\\w-]eyJ)[\\w-]*+\\.[\\w-]{4,}+[\\w.-]*+", "eyJ"),
                    // PEM: to the end of the key, or of the text if the end is missing.
                    TokenPattern.of(
                            "(?s)[A-Z ]{0,64}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,64}-----|\\z)", "-----BEGIN "),
                    TokenPattern.of(CREDENTIAL, "Bearer", "bearer", "BEARER", "Basic", "basic", "BASIC"))
            .flatMap(patterns -> patterns)
            .toList();

    private static final List<TokenPattern> ADDRESSES = Stream.concat(
                    // The password of an address, but not a port.
                    TokenPattern.of("[^\\s/?#:@\"'`<>|]*+:(?!\\d{1,5}[/?#])([^\\s\"'`,;()\\[\\]{}<>|]{1,256})@", "://"),
                    // An address whose user is a token.
                    TokenPattern.of("([^\\s/?#:@\"'`<>|]{16,256}+)@", "://"))
            .toList();

    private TokenPatterns() {}

    /** Adds each place in the text that a pattern matches. */
    static void find(String text, SecretSpans spans) {
        TOKENS.forEach(pattern -> pattern.find(text, spans));
        // Few texts have an '@', and looking for it is much faster than both expressions.
        if (text.indexOf('@') >= 0) {
            ADDRESSES.forEach(pattern -> pattern.find(text, spans));
        }
    }

    /**
     * One pattern.
     *
     * @param beginning the literal that is searched first, which is much faster than the expression at each character
     * @param rest the expression after it; its group is the secret, or the whole match with the beginning if it has
     *     none
     */
    private record TokenPattern(String beginning, Pattern rest) {

        static Stream<TokenPattern> of(String rest, String... beginnings) {
            var pattern = Pattern.compile(rest);
            return Stream.of(beginnings).map(beginning -> new TokenPattern(beginning, pattern));
        }

        void find(String text, SecretSpans spans) {
            int at = text.indexOf(beginning);
            if (at < 0) {
                return;
            }
            var matcher = rest.matcher(text).useTransparentBounds(true);
            boolean hasGroup = matcher.groupCount() > 0;
            while (at >= 0) {
                matcher.region(at + beginning.length(), text.length());
                int next = at + 1;
                if (matcher.lookingAt()) {
                    spans.add(hasGroup ? matcher.start(1) : at, hasGroup ? matcher.end(1) : matcher.end());
                    next = matcher.end();
                }
                at = text.indexOf(beginning, next);
            }
        }
    }
}
