package io.mcpbridge.audit.redact;

import io.mcpbridge.audit.internal.json.JsonCursor;
import io.mcpbridge.audit.internal.json.JsonCursor.Token;
import io.mcpbridge.audit.internal.json.JsonStrings;
import io.mcpbridge.audit.internal.json.MalformedJsonException;
import io.mcpbridge.message.JsonText;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes secrets out of one JSON text and leaves everything else as it stands: space, order, numbers, keys that stand
 * twice. Used once.
 */
final class JsonRedactor {
    private static final int MOST_NESTED = 3;

    private final String json;
    private final JsonCursor cursor;
    private final RedactionParts parts;
    private final SchemaMarks marksOfTexts;
    private final HiddenValues hidden;
    private final int nested;
    private final ArrayDeque<Level> levels = new ArrayDeque<>();
    private final TreeMap<Integer, Change> changes = new TreeMap<>();

    /** Where values begin and end whose names came behind them. */
    private final TreeMap<Integer, Integer> late = new TreeMap<>();

    /** A token that another one takes the place of. */
    private record Change(int end, String json) {}

    /** What may be shown of a beginning, and whether it is one of JSON rather than of a text that looks like it. */
    private record Beginning(String text, boolean isJson) {}

    /**
     * A redactor.
     *
     * @param marksOfTexts what is secret in texts that are JSON themselves
     * @param hidden takes what is hidden as a whole
     */
    JsonRedactor(String json, RedactionParts parts, SchemaMarks marksOfTexts, HiddenValues hidden) {
        this(json, parts, marksOfTexts, hidden, 0);
    }

    /** One of a text within another one, {@code nested} deep. */
    private JsonRedactor(String json, RedactionParts parts, SchemaMarks marksOfTexts, HiddenValues hidden, int nested) {
        this.json = json;
        this.cursor = new JsonCursor(json);
        this.parts = parts;
        this.marksOfTexts = marksOfTexts;
        this.hidden = hidden;
        this.nested = nested;
    }

    /**
     * The text without its secrets.
     *
     * @throws MalformedJsonException if it is no JSON
     */
    String redacted(SchemaMarks marks) {
        levels.push(Level.outermost(marks));
        for (var token = cursor.next(); token != Token.END; token = cursor.next()) {
            pass(token);
        }
        return changed(json.length());
    }

    /** The beginning of a text that was cut, without its secrets; a last word that the cut may go through is left out. */
    String redactedBeginning(SchemaMarks marks) {
        return beginning(marks).text();
    }

    private Beginning beginning(SchemaMarks marks) {
        levels.push(Level.outermost(marks));
        try {
            for (var token = cursor.next(); token != Token.END; token = cursor.next()) {
                pass(token);
            }
            return new Beginning(changed(json.length()), true);
        } catch (MalformedJsonException cut) {
            return new Beginning(changed(cursor.start()) + lastText(), isCutAt(cursor.start()));
        }
    }

    /** What may be shown of the text in which the cut is. */
    private String lastText() {
        int from = cursor.start();
        if (from >= json.length() || json.charAt(from) != '"' || !level().awaitsValue() || level().hidesNext()) {
            return "";
        }
        var text = JsonStrings.decodeBeginning(json, from + 1);
        var quoted = JsonText.quote(shownBeginning(text));
        return quoted.substring(0, quoted.length() - 1);
    }

    /** The same as {@link #shown}, of a text of which only the beginning is there. */
    private String shownBeginning(String text) {
        if (isJson(text)) {
            var inner = nested(text).beginning(marksOfTexts);
            if (inner.isJson) {
                return parts.texts().redacted(inner.text);
            }
        }
        return parts.texts().redactedBeginning(text);
    }

    /** Whether nothing but the end is missing from here on. */
    private boolean isCutAt(int start) {
        if (start < json.length() && json.charAt(start) == '"') {
            return JsonStrings.isCut(json, start + 1);
        }
        return Characters.runEnd(json, start, each -> Characters.isWord(each) || each == '+' || each == '.')
                == json.length();
    }

    private void pass(Token token) {
        switch (token) {
            case KEY -> key();
            case OBJECT, ARRAY -> levels.push(level().inner(token == Token.OBJECT, cursor.start()));
            case END_OBJECT, END_ARRAY -> innerEnded();
            case STRING -> string();
            case NUMBER -> number();
            default -> level().valueEnded();
        }
    }

    private void key() {
        var key = cursor.text();
        level().key(key, parts.names());
        var shown = parts.texts().redacted(key);
        if (!shown.equals(key)) {
            change(JsonText.quote(shown));
        }
    }

    private void innerEnded() {
        levels.pop();
        level().innerEnded(cursor.end());
    }

    private void string() {
        var text = cursor.text();
        var level = level();
        if (level.hidesNext() || parts.repeated().holds(text)) {
            hide(text);
        } else {
            var shown = shown(text);
            if (shown != null) {
                change(JsonText.quote(shown));
            }
            level.string(text, parts.names(), cursor.start(), cursor.end());
            level.hiddenLate().forEach(this::noteLate);
        }
        level.valueEnded();
    }

    private void number() {
        var level = level();
        var raw = cursor.raw();
        if (level.hidesNumbersNext() || parts.isKnown(raw)) {
            hide(raw);
        } else {
            level.value(cursor.start(), cursor.end());
        }
        level.valueEnded();
    }

    /** The text without its secrets; null if it has none. */
    private @Nullable String shown(String text) {
        var inner = isJson(text) ? inner(text) : null;
        var shown = parts.texts().redacted(inner == null ? text : inner);
        return shown.equals(text) ? null : shown;
    }

    private boolean isJson(String text) {
        var first = text.isBlank() ? ' ' : text.stripLeading().charAt(0);
        return nested < MOST_NESTED && (first == '{' || first == '[');
    }

    private @Nullable String inner(String text) {
        try {
            return nested(text).redacted(marksOfTexts);
        } catch (MalformedJsonException onlyLooksLikeIt) {
            return null;
        }
    }

    private JsonRedactor nested(String text) {
        return new JsonRedactor(text, parts, marksOfTexts, hidden, nested + 1);
    }

    private void hide(String value) {
        hidden.add(value);
        change('"' + parts.hash().of(value) + '"');
    }

    /** An outer value comes after those within it, and is walked once for all of them. */
    private void noteLate(Level.Span span) {
        late.subMap(span.start(), span.end()).clear();
        late.put(span.start(), span.end());
    }

    private void hideLate(int start, int end) {
        var value = new JsonRedactor(json.substring(start, end), parts, marksOfTexts, hidden, nested);
        changes.subMap(start, end).clear();
        changes.put(start, new Change(end, value.redacted(SchemaMarks.ALL)));
    }

    private void change(String replacement) {
        changes.put(cursor.start(), new Change(cursor.end(), replacement));
    }

    private String changed(int end) {
        late.forEach(this::hideLate);
        if (changes.isEmpty()) {
            return json.substring(0, end);
        }
        var changed = new StringBuilder(end);
        int copied = 0;
        for (Map.Entry<Integer, Change> each : changes.entrySet()) {
            changed.append(json, copied, each.getKey()).append(each.getValue().json);
            copied = each.getValue().end;
        }
        return changed.append(json, copied, Math.max(copied, end)).toString();
    }

    private Level level() {
        return levels.element();
    }
}
