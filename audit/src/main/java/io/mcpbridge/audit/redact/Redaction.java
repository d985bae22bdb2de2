package io.mcpbridge.audit.redact;

import io.mcpbridge.audit.internal.json.MalformedJsonException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * Makes of what an event holds what a record may show: without secrets, in one line, of bounded length.
 *
 * <p>In the place of a secret stands {@code hmac-sha256:<key id>:<hash>}. Whatever the length of a text and whoever wrote
 * it, the time is bounded, but for the hash of the whole. One thread at a time.
 */
public final class Redaction {
    private static final int SURELY_SHOWN = Shown.MOST_BYTES / 3;
    private static final int MOST_OF_TEXT = 4 << 10;

    /** How much of a longer one is searched, since a secret may go beyond what is shown. */
    private static final int SEARCHED = 2 * MOST_OF_TEXT;

    private final RedactionParts parts;
    private final PlainTexts plain;

    private Redaction(RedactionParts parts) {
        this.parts = parts;
        this.plain = new PlainTexts(parts.known());
    }

    /**
     * A redaction.
     *
     * @param known secrets that are hidden wherever they stand, as they are at the time
     */
    public static Redaction of(
            RedactionSettings settings, RedactionKey key, Supplier<? extends Collection<String>> known) {
        return new Redaction(RedactionParts.of(settings, key.hash(), known));
    }

    /** A text of a peer or about one, such as a name or an error; one that is cut says so, with the hash of the whole. */
    public String text(String text) {
        if (plain.has(text)) {
            return text;
        }
        if (text.length() > MOST_OF_TEXT) {
            return beginning(text);
        }
        var shown = whole(text);
        plain.note(text, shown);
        return shown;
    }

    private String beginning(String text) {
        var searched = text.substring(0, Math.min(text.length(), SEARCHED));
        var shown = Shown.of(EscapedText.of(parts.texts().redacted(searched, MOST_OF_TEXT)), true);
        return withHash(shown, text);
    }

    /** As much of it as of JSON. */
    private String whole(String text) {
        var shown = Shown.of(EscapedText.of(parts.texts().redacted(text)), false);
        return shown.truncated() ? withHash(shown, text) : shown.text();
    }

    private String withHash(Shown shown, String text) {
        return "%s… (cut from %d characters, %s)".formatted(shown.text(), text.length(), hashOf(text));
    }

    /** A word that the bridge made or that its configuration holds, such as a correlation id. */
    public String word(String word) {
        var visible = EscapedText.of(word);
        return visible.length() <= SURELY_SHOWN
                ? visible
                : Shown.of(visible, false).text();
    }

    /** The same, which also hides what was hidden before in the same call. */
    public Redaction hiding(HiddenValues values) {
        return values.isEmpty() ? this : new Redaction(parts.hiding(values));
    }

    /** JSON, such as arguments, in which the places that are marked are secret too. */
    public Shown json(String json, SchemaMarks marks) {
        return arguments(json, marks, new HiddenValues());
    }

    /** The same, where {@code hidden} takes what was hidden. */
    public Shown arguments(String json, SchemaMarks marks, HiddenValues hidden) {
        return json(json, marks, SchemaMarks.NONE, hidden);
    }

    /** The result of a tool, whose structured content has these marks, and so have texts that are JSON. */
    public Shown result(String json, SchemaMarks structuredContent) {
        return json(json, structuredContent.asStructuredContent(), structuredContent, new HiddenValues());
    }

    /** The hash that stands for a text. */
    public String hashOf(String text) {
        return parts.hash().of(text);
    }

    /** The hash that stands for the text that remains in a buffer. */
    public String hashOf(ByteBuffer text) {
        return parts.hash().of(text);
    }

    private Shown json(String json, SchemaMarks marks, SchemaMarks marksOfTexts, HiddenValues hidden) {
        var redactor = new JsonRedactor(TextCut.beginning(json), parts, marksOfTexts, hidden);
        if (TextCut.isNeeded(json)) {
            hidden.missSome();
            return Shown.of(EscapedText.ofJson(redactor.redactedBeginning(marks)), true);
        }
        try {
            return Shown.of(EscapedText.ofJson(redactor.redacted(marks)), false);
        } catch (MalformedJsonException notJson) {
            hidden.missSome();
            return marks.isNone() ? Shown.of(whole(json), false) : new Shown("", true);
        }
    }
}
