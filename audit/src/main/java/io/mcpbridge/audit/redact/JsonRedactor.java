package io.mcpbridge.audit.redact;

import com.fasterxml.jackson.core.JsonToken;
import io.mcpbridge.audit.redact.JsonTokenReader.MalformedJsonException;
import io.mcpbridge.message.JsonStrings;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the secrets in one JSON text and preserves everything else: white space, order, numbers, repeated keys. For
 * one use.
 */
final class JsonRedactor {
    /** The nesting depth to which JSON inside of strings is parsed. */
    private static final int MAX_NESTED = 3;

    private final String json;
    private final JsonTokenReader tokens;
    private final TextRedactor texts;
    private final RedactedValues repeated;
    private final SchemaMarks marksOfTexts;
    private final RedactedValues redacted;
    private final int nested;
    private final ArrayDeque<Scope> scopes = new ArrayDeque<>();
    /** The text up to {@link #copied}, with its secrets replaced. */
    private final StringBuilder output = new StringBuilder();

    /** The positions of objects with a member such as {@code "name": "password"}, whose value is in another member. */
    private final Set<Integer> secretPairs;

    private int copied;

    /**
     * Makes a redactor of {@code json}.
     *
     * @param repeated values that were redacted earlier in the same call
     * @param marksOfTexts the secret places of strings that contain JSON
     * @param redacted receives each value that is redacted as a whole
     * @param nested the number of JSON texts that enclose {@code json}
     */
    JsonRedactor(
            String json,
            TextRedactor texts,
            RedactedValues repeated,
            SchemaMarks marksOfTexts,
            RedactedValues redacted,
            int nested) {
        this.json = json;
        this.tokens = new JsonTokenReader(json);
        this.texts = texts;
        this.repeated = repeated;
        this.marksOfTexts = marksOfTexts;
        this.redacted = redacted;
        this.nested = nested;
        this.secretPairs = secretPairs(json, texts.names());
    }

    /**
     * The redacted text.
     *
     * @throws MalformedJsonException if it is not JSON
     */
    String redact(SchemaMarks marks) {
        readAll(marks);
        return output(json.length());
    }

    /** The redacted text of a truncated one, without a last word that may be half a secret. */
    String redactCut(SchemaMarks marks) {
        return beginning(marks).text();
    }

    private Beginning beginning(SchemaMarks marks) {
        try {
            readAll(marks);
            return new Beginning(output(json.length()), true);
        } catch (MalformedJsonException e) {
            return new Beginning(output(tokens.start()) + lastText(), e.isCut());
        }
    }

    private void readAll(SchemaMarks marks) {
        scopes.push(Scope.outermost(marks));
        for (var token = tokens.next(); token != null; token = tokens.next()) {
            take(token);
        }
    }

    /** The part of the truncated string that may be shown, without a closing quote. */
    private String lastText() {
        int from = tokens.start();
        if (from >= json.length() || json.charAt(from) != '"' || !scope().awaitsValue() || scope().hidesNext()) {
            return "";
        }
        var text = decodedBeginning(json.substring(from + 1));
        var quoted = JsonStrings.quote(shownBeginning(text));
        return quoted.substring(0, quoted.length() - 1);
    }

    private String shownBeginning(String text) {
        if (isJson(text)) {
            var inner = nested(text).beginning(marksOfTexts);
            if (inner.isJson) {
                return texts.redact(inner.text);
            }
        }
        return texts.redactCut(text);
    }

    /**
     * Decodes a string whose end is missing, without its last characters if these are part of an escape or a surrogate
     * pair.
     */
    private static String decodedBeginning(String cut) {
        int most = "\\u0000".length();
        for (int end = cut.length(); end > 0 && end > cut.length() - most; end--) {
            try {
                if (!Character.isHighSurrogate(cut.charAt(end - 1))) {
                    return JsonStrings.decode('"' + cut.substring(0, end) + '"');
                }
            } catch (IllegalArgumentException e) {
                // The string may be valid with one character less.
            }
        }
        return "";
    }

    private void take(JsonToken token) {
        switch (token) {
            case FIELD_NAME -> key();
            case START_OBJECT, START_ARRAY -> scopes.push(scope().inner(token, secretPairs.contains(tokens.start())));
            case END_OBJECT, END_ARRAY -> scopes.pop();
            case VALUE_STRING -> string();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
            default -> scope().endValue();
        }
    }

    private void key() {
        var key = tokens.text();
        scope().key(key, texts.names());
        var shown = texts.redact(key);
        if (!shown.equals(key)) {
            replace(JsonStrings.quote(shown));
        }
    }

    private void string() {
        var text = tokens.text();
        var level = scope();
        if (level.hidesNext() || repeated.contains(text)) {
            hide(text);
        } else {
            var shown = shown(text);
            if (shown != null) {
                replace(JsonStrings.quote(shown));
            }
            level.string(text, texts.names());
        }
        level.endValue();
    }

    private void number() {
        var level = scope();
        var raw = tokens.raw();
        if (level.hidesNumbersNext() || texts.known().contains(raw) || repeated.contains(raw)) {
            hide(raw);
        }
        level.endValue();
    }

    /** The redacted text; null if it has no secrets. */
    private @Nullable String shown(String text) {
        var inner = isJson(text) ? inner(text) : null;
        var shown = texts.redact(inner == null ? text : inner);
        return shown.equals(text) ? null : shown;
    }

    private boolean isJson(String text) {
        var first = text.isBlank() ? ' ' : text.stripLeading().charAt(0);
        return nested < MAX_NESTED && (first == '{' || first == '[');
    }

    private @Nullable String inner(String text) {
        try {
            return nested(text).redact(marksOfTexts);
        } catch (MalformedJsonException e) {
            return null;
        }
    }

    private JsonRedactor nested(String text) {
        return new JsonRedactor(text, texts, repeated, marksOfTexts, redacted, nested + 1);
    }

    private void hide(String value) {
        redacted.add(value);
        replace('"' + texts.hashOf(value) + '"');
    }

    /** Replaces the current token. */
    private void replace(String replacement) {
        output.append(json, copied, tokens.start()).append(replacement);
        copied = tokens.end();
    }

    /** The first {@code end} characters, with their secrets replaced. */
    private String output(int end) {
        return copied == 0
                ? json.substring(0, end)
                : output.append(json, copied, end).toString();
    }

    private Scope scope() {
        return scopes.element();
    }

    /** The part of a truncated text that may be shown, and whether it is valid JSON so far. */
    private record Beginning(String text, boolean isJson) {}

    /** Finds the objects with a member such as {@code "name": "password"}, whose value is in another member. */
    private static Set<Integer> secretPairs(String json, SecretNames names) {
        var found = new HashSet<Integer>();
        var begins = new ArrayDeque<Integer>();
        var tokens = new JsonTokenReader(json);
        boolean isName = false;
        try {
            for (var token = tokens.next(); token != null; token = tokens.next()) {
                if (token.isStructStart()) {
                    begins.push(tokens.start());
                } else if (token.isStructEnd()) {
                    begins.pop();
                } else if (token == JsonToken.VALUE_STRING && isName && names.hides(tokens.text())) {
                    found.add(begins.element());
                }
                isName = token == JsonToken.FIELD_NAME && Scope.isOneOf(Scope.NAME_KEYS, tokens.text());
            }
        } catch (MalformedJsonException e) {
            // The redaction itself stops at the same place.
        }
        return found;
    }

    /** An open object or array in a text that is redacted, and whether its next value is secret. */
    private static final class Scope {
        /** The keys of names and of their values in lists of headers and variables. */
        private static final Set<String> NAME_KEYS = Set.of("name", "key", "header", "field", "variable");

        private static final Set<String> VALUE_KEYS = Set.of("value", "val", "values", "content", "default");

        private enum Kind {
            TEXT,
            OBJECT,
            ARRAY
        }

        private final Kind kind;
        private final boolean hidden;
        private final boolean isSecretPair;
        private final SchemaMarks marks;
        private String key = "";
        private boolean hidesValue;
        private boolean hidesNumber;
        private boolean hidesElementAfter;
        private boolean awaitsValue;
        private int position;

        private Scope(Kind kind, boolean hidden, boolean isSecretPair, SchemaMarks marks) {
            this.kind = kind;
            this.hidden = hidden;
            this.isSecretPair = isSecretPair;
            this.marks = marks;
        }

        static Scope outermost(SchemaMarks marks) {
            return new Scope(Kind.TEXT, marks.isSecret(), false, marks);
        }

        /** Makes the scope of an object or array that is the next value. */
        Scope inner(JsonToken start, boolean isInnerSecretPair) {
            var innerKind = start == JsonToken.START_OBJECT ? Kind.OBJECT : Kind.ARRAY;
            var inner = new Scope(innerKind, hidesNext(), isInnerSecretPair, nextMarks());
            endValue();
            return inner;
        }

        /** Receives the key of the next value. */
        void key(String name, SecretNames names) {
            key = name;
            boolean isValueOfName = isSecretPair && isOneOf(VALUE_KEYS, name);
            hidesValue = isValueOfName || names.hides(name);
            hidesNumber = isValueOfName || (hidesValue && names.hidesNumbers(name));
            awaitsValue = true;
        }

        boolean awaitsValue() {
            return awaitsValue || kind != Kind.OBJECT;
        }

        boolean hidesNext() {
            return hidden || hidesValue || nextMarks().isSecret();
        }

        boolean hidesNumbersNext() {
            return hidden || hidesNumber || nextMarks().isSecret();
        }

        /** Receives a string that is shown; in an array it may name the next element as secret. */
        void string(String text, SecretNames names) {
            // ["--password", "…"] and ["Authorization", "…"]
            hidesElementAfter = kind == Kind.ARRAY
                    && (text.startsWith("-") || position == 0)
                    && !text.contains("=")
                    && names.hides(text);
        }

        /** Receives the end of a value. */
        void endValue() {
            position++;
            awaitsValue = false;
            hidesValue = hidesElementAfter;
            hidesNumber = hidesElementAfter;
            hidesElementAfter = false;
        }

        private static boolean isOneOf(Set<String> keys, String key) {
            return keys.contains(key.toLowerCase(Locale.ROOT));
        }

        private SchemaMarks nextMarks() {
            return switch (kind) {
                case TEXT -> marks;
                case OBJECT -> marks.member(key);
                case ARRAY -> marks.element();
            };
        }
    }
}
