package io.mcpbridge.audit.redact;

import io.mcpbridge.spi.GlobPattern;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Decides by the name of a value whether it is secret, in any naming convention such as camel case or kebab case.
 * Immutable.
 */
final class SecretNames {
    private static final Pattern USUAL = Pattern.compile(".*(password|passwd|passphrase|passcode|passkey|secret|token"
            + "|authorization|credential|cookie|apikey|accesskey|privatekey|signingkey|encryptionkey|sessionid|sessionkey"
            + "|connectionstring).*|pwd|pass|pin|otp|auth|xauth|jwt|bearer|cvv|cvc|totp");
    private static final int LONGEST = 256;

    private final List<GlobPattern> patterns;

    /** The built-in names, and those that a pattern matches. */
    SecretNames(List<String> patterns) {
        this.patterns = patterns.stream()
                .map(each -> GlobPattern.ofStars(plain(each, "*")))
                .toList();
    }

    /** Whether texts with this name are secret. */
    boolean hides(String name) {
        var plain = plain(name, "");
        return USUAL.matcher(plain).matches() || patterns.stream().anyMatch(each -> each.matches(plain));
    }

    /** Whether numbers with this name are secret too: a PIN is, a number of tokens is not. */
    boolean hidesNumbers(String name) {
        var plain = plain(name, "");
        return hides(name)
                && !plain.contains("tokens")
                && !plain.contains("tokencount")
                && !plain.contains("tokenlimit");
    }

    /** The letters and digits of a name in lower case, and the characters of {@code kept}. */
    private static String plain(String name, String kept) {
        var plain = new StringBuilder(Math.min(name.length(), LONGEST));
        for (int i = 0; i < name.length() && plain.length() < LONGEST; i++) {
            char c = name.charAt(i);
            if (Character.isLetterOrDigit(c)) {
                plain.append(Character.toLowerCase(c));
            } else if (kept.indexOf(c) >= 0) {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
