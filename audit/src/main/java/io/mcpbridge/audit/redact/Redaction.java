package io.mcpbridge.audit.redact;

import io.mcpbridge.audit.redact.JsonTokenReader.MalformedJsonException;
import io.mcpbridge.audit.redact.RedactionKey.KeyedHash;
import io.mcpbridge.spi.KnownValueFinder;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Redacts the texts and the JSON of an event for a record: replaces secrets, escapes line ends and bounds the length.
 *
 * <p>{@code hmac-sha256:<key id>:<hash>} replaces a secret. The time for a text is bounded, except for the hash of a
 * long one. Any thread may use it.
 */
public final class Redaction {
    /** The number of characters that always fit into the bytes that {@link TextPreview} shows. */
    private static final int SURELY_SHOWN = TextPreview.MAX_BYTES / 3;

    private static final int MAX_TEXT = 4 << 10;

    /** The number of characters of a longer text that are searched, since a secret may extend beyond the shown part. */
    private static final int SEARCHED = 2 * MAX_TEXT;

    private final KeyedHash hash;
    private final TextRedactor texts;
    private final RedactedValues repeated;
    private final PlainTextCache plain;

    private Redaction(KeyedHash hash, TextRedactor texts, RedactedValues repeated) {
        this.hash = hash;
        this.texts = texts;
        this.repeated = repeated;
        this.plain = new PlainTextCache(texts.known());
    }

    /**
     * Makes a redaction with one key.
     *
     * @param known supplies the current secrets that are redacted anywhere in a text
     */
    public static Redaction of(
            RedactionSettings settings, RedactionKey key, Supplier<? extends Collection<String>> known) {
        var hash = key.hash();
        var names = new SecretNames(settings.keys());
        return new Redaction(hash, new TextRedactor(names, known, settings.values(), hash), new RedactedValues());
    }

    /** This redaction, which also redacts values that were redacted earlier in the same call. */
    public Redaction hiding(RedactedValues values) {
        return values.isEmpty() ? this : new Redaction(hash, texts.repeating(values.parts()), values);
    }

    /**
     * Redacts a text of a peer or about one, such as a name or an error. A longer one is cut and ends with the hash of
     * the whole.
     */
    public String text(String text) {
        // Before the search, since the known values may change meanwhile.
        var found = plain.current();
        if (found.texts().contains(text)) {
            return text;
        }
        if (text.length() > MAX_TEXT) {
            return beginning(text);
        }
        var shown = whole(text);
        if (shown.equals(text)) {
            found.add(text);
        }
        return shown;
    }

    private String beginning(String text) {
        var searched = text.substring(0, Math.min(text.length(), SEARCHED));
        return withHash(TextPreview.of(EscapedText.of(texts.redactBeginning(searched, MAX_TEXT))), text);
    }

    private String whole(String text) {
        var shown = TextPreview.of(EscapedText.of(texts.redact(text)));
        return shown.isTruncated() ? withHash(shown, text) : shown.text();
    }

    private String withHash(TextPreview shown, String text) {
        return "%s… (cut from %d characters, %s)".formatted(shown.text(), text.length(), hash.of(text));
    }

    /** Escapes and bounds a word of the bridge or of its configuration, such as a correlation id. */
    public String word(String word) {
        var visible = EscapedText.of(word);
        return visible.length() <= SURELY_SHOWN
                ? visible
                : TextPreview.of(visible).text();
    }

    /** Redacts the arguments of a call, the marked places included; {@code redacted} receives the redacted values. */
    public TextPreview arguments(String json, SchemaMarks marks, RedactedValues redacted) {
        return json(json, marks, SchemaMarks.NONE, redacted);
    }

    /** Redacts the result of a tool. The marks apply to its structured content and to strings that contain JSON. */
    public TextPreview result(String json, SchemaMarks structuredContent) {
        return json(json, structuredContent.asStructuredContent(), structuredContent, new RedactedValues());
    }

    /** The keyed hash of the UTF-8 text that remains in a buffer. */
    public String hashOf(ByteBuffer text) {
        return hash.of(text);
    }

    private TextPreview json(String json, SchemaMarks marks, SchemaMarks marksOfTexts, RedactedValues redacted) {
        var redactor =
                new JsonRedactor(TextPreview.searchedBeginning(json), texts, repeated, marksOfTexts, redacted, 0);
        if (TextPreview.isTooLong(json)) {
            redacted.markIncomplete();
            return TextPreview.of(EscapedText.ofJson(redactor.redactCut(marks))).truncated();
        }
        try {
            return TextPreview.of(EscapedText.ofJson(redactor.redact(marks)));
        } catch (MalformedJsonException e) {
            redacted.markIncomplete();
            return marks.isNone() ? TextPreview.of(whole(json)) : TextPreview.NOTHING;
        }
    }

    /**
     * Caches short texts without secrets, so that names which come with each call are searched once. It is cleared when
     * the known values change.
     */
    private static final class PlainTextCache {
        private static final int MAX_TEXTS = 1_024;
        private static final int LONGEST = 256;

        private final KnownValueFinder known;
        private volatile PlainTexts plain = PlainTexts.ofSearchFor(List.of());

        private PlainTextCache(KnownValueFinder known) {
            this.known = known;
        }

        /** The texts in which a search for the current values found none. */
        private PlainTexts current() {
            var now = known.values();
            var current = plain;
            if (!current.values.equals(now)) {
                current = PlainTexts.ofSearchFor(now);
                plain = current;
            }
            return current;
        }

        private record PlainTexts(List<String> values, Set<String> texts) {
            static PlainTexts ofSearchFor(List<String> values) {
                return new PlainTexts(values, ConcurrentHashMap.newKeySet());
            }

            void add(String text) {
                if (text.length() <= LONGEST) {
                    if (texts.size() >= MAX_TEXTS) {
                        texts.clear();
                    }
                    texts.add(text);
                }
            }
        }
    }

    /**
     * Escapes characters that a terminal, an editor or a log reader interprets or hides: controls, direction marks,
     * line ends of all kinds, lone surrogates.
     *
     * <p>Each becomes {@code \}{@code u} and four digits. A backslash before a {@code u} is escaped too, so that two
     * texts never look alike and the text can be restored.
     */
    private static final class EscapedText {

        private EscapedText() {}

        /** Escapes a text. */
        static String of(String text) {
            return escape(text, true);
        }

        /** Escapes a text that is JSON, in which the same escapes mean the same characters. */
        static String ofJson(String json) {
            return escape(json, false);
        }

        private static String escape(String text, boolean escapesBackslash) {
            int at = 0;
            while (at < text.length() && !isHidden(text, at, escapesBackslash)) {
                at++;
            }
            if (at == text.length()) {
                return text;
            }
            var shown = new StringBuilder(text.length() + 16).append(text, 0, at);
            for (; at < text.length(); at++) {
                if (isHidden(text, at, escapesBackslash)) {
                    shown.append("\\u").append(HexFormat.of().toHexDigits(text.charAt(at)));
                } else {
                    shown.append(text.charAt(at));
                }
            }
            return shown.toString();
        }

        private static boolean isHidden(String text, int at, boolean escapesBackslash) {
            char c = text.charAt(at);
            if (c < 0x7F) {
                return c < ' '
                        || (c == '\\' && escapesBackslash && at + 1 < text.length() && text.charAt(at + 1) == 'u');
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
}
