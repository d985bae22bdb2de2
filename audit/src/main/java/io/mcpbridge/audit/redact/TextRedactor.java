package io.mcpbridge.audit.redact;

import java.util.Collection;
import java.util.function.Supplier;

/** Takes secrets out of texts. Needs time in proportion to the text, whoever wrote it. One thread at a time. */
final class TextRedactor {
    private static final int MOST_ENCODINGS = 2;

    private final AssignedValues assigned;
    private final Supplier<? extends Collection<String>> known;
    private final boolean looksAtShapes;
    private final KeyedHash hash;

    /**
     * A redactor.
     *
     * @param known secrets that are hidden wherever they stand
     */
    TextRedactor(
            SecretNames names, Supplier<? extends Collection<String>> known, boolean looksAtShapes, KeyedHash hash) {
        this(new AssignedValues(names), known, looksAtShapes, hash);
    }

    private TextRedactor(
            AssignedValues assigned,
            Supplier<? extends Collection<String>> known,
            boolean looksAtShapes,
            KeyedHash hash) {
        this.assigned = assigned;
        this.known = known;
        this.looksAtShapes = looksAtShapes;
        this.hash = hash;
    }

    /** The same with other secrets that are hidden wherever they stand. */
    TextRedactor knowing(Supplier<? extends Collection<String>> others) {
        return new TextRedactor(assigned, others, looksAtShapes, hash);
    }

    /** The text with a hash in the place of each secret; the same text where it has none. */
    String redacted(String text) {
        var findings = find(text, 0);
        return findings.isEmpty() ? text : findings.replacedIn(text, hash::once);
    }

    /** The beginning of a text without its secrets, among them one through which its end goes. */
    String redacted(String text, int end) {
        return find(text, 0).replacedIn(text, end, hash::once);
    }

    /** A text that was cut, without its secrets and without its end, which may be the beginning of one. */
    String redactedBeginning(String cut) {
        int end = TextCut.withoutLastWord(cut).length();
        for (var secret : known.get()) {
            for (int at = Math.max(0, cut.length() - secret.length()); at < end; at++) {
                if (cut.regionMatches(at, secret, 0, cut.length() - at)) {
                    end = at;
                }
            }
        }
        return redacted(cut.substring(0, end));
    }

    private Findings find(String text, int encodings) {
        var findings = findVisible(text, encodings);
        HiddenMarks.find(text, plain -> findVisible(plain, encodings), findings);
        return findings;
    }

    private Findings findVisible(String text, int encodings) {
        var findings = new Findings();
        var secrets = known.get();
        for (var secret : secrets) {
            find(secret, text, findings);
        }
        if (looksAtShapes) {
            SecretShapes.find(text, findings);
            assigned.find(text, findings);
        }
        if (encodings < MOST_ENCODINGS && (looksAtShapes || !secrets.isEmpty())) {
            new EncodedForms(decoded -> find(decoded, encodings + 1)).find(text, findings);
        }
        return findings;
    }

    private static void find(String secret, String text, Findings findings) {
        for (int at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length())) {
            findings.add(at, at + secret.length());
        }
    }
}
