package io.mcpbridge.audit.redact;

import java.util.List;
import java.util.Set;

/** Tells by a name whether the value beside it is secret, however the words of the name are joined. Immutable. */
final class SecretNames {
    private static final List<String> PARTS = List.of(
            "password",
            "passwd",
            "passphrase",
            "passcode",
            "passkey",
            "secret",
            "token",
            "authorization",
            "credential",
            "cookie",
            "apikey",
            "accesskey",
            "privatekey",
            "signingkey",
            "encryptionkey",
            "sessionid",
            "sessionkey",
            "connectionstring");
    private static final Set<String> WHOLE =
            Set.of("pwd", "pass", "pin", "otp", "auth", "xauth", "jwt", "bearer", "cvv", "cvc", "totp");
    private static final int LONGEST = 256;

    private final List<NamePattern> patterns;

    /** Names with the usual words, and those that a pattern fits. */
    SecretNames(List<String> patterns) {
        this.patterns =
                patterns.stream().map(each -> NamePattern.of(plain(each, "*"))).toList();
    }

    /** Whether texts beside the name are secret. */
    boolean hides(String name) {
        var plain = plain(name, "");
        return WHOLE.contains(plain)
                || PARTS.stream().anyMatch(plain::contains)
                || patterns.stream().anyMatch(each -> each.matches(plain));
    }

    /** Whether numbers beside the name are secret too: PINs are, but not how many tokens there are. */
    boolean hidesNumbers(String name) {
        var plain = plain(name, "");
        return hides(name)
                && !plain.contains("tokens")
                && !plain.contains("tokencount")
                && !plain.contains("tokenlimit");
    }

    /** The letters and digits of a name in lower case; what joins words, or hides between letters, is left out. */
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
