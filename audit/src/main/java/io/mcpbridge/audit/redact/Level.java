package io.mcpbridge.audit.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** One object or array that is open while a text is redacted, and what is known of the value that comes next. */
final class Level {
    /** Keys beside which a name stands, and those beside which its value does, in lists of headers and variables. */
    private static final Set<String> NAME_KEYS = Set.of("name", "key", "header", "field", "variable");

    private static final Set<String> VALUE_KEYS = Set.of("value", "val", "values", "content", "default");

    /** What is open. */
    private enum Kind {
        TEXT,
        OBJECT,
        ARRAY
    }

    private final Kind kind;
    private final boolean hidden;
    private final SchemaMarks marks;
    private String key = "";
    private boolean hidesValue;
    private boolean hidesNumber;
    private boolean hidesElementAfter;
    private boolean awaitsValue;
    private boolean namesSecret;
    private int position;
    private int valueStart;
    private List<Span> valuesOfName = List.of();
    private List<Span> late = List.of();

    /** Where a value stands. */
    record Span(int start, int end) {}

    private Level(Kind kind, boolean hidden, SchemaMarks marks) {
        this.kind = kind;
        this.hidden = hidden;
        this.marks = marks;
    }

    static Level outermost(SchemaMarks marks) {
        return new Level(Kind.TEXT, marks.isSecret(), marks);
    }

    /** An object or array as the next value, which begins here. */
    Level inner(boolean object, int start) {
        valueStart = start;
        var inner = new Level(object ? Kind.OBJECT : Kind.ARRAY, hidesNext(), nextMarks());
        valueEnded();
        return inner;
    }

    /** The key of the next value. */
    void key(String name, SecretNames names) {
        key = name;
        hidesValue = names.hides(name) || (namesSecret && isOneOf(VALUE_KEYS));
        hidesNumber = hidesValue && (namesSecret || names.hidesNumbers(name));
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

    /** A text that was shown; it may name a value beside it. */
    void string(String text, SecretNames names, int start, int end) {
        if (kind == Kind.ARRAY) {
            // ["--password", "…"] and ["Authorization", "…"]
            hidesElementAfter = (text.startsWith("-") || position == 0) && !text.contains("=") && names.hides(text);
        } else if (isOneOf(NAME_KEYS) && names.hides(text)) {
            namesSecret = true;
            late = valuesOfName;
            valuesOfName = List.of();
        }
        value(start, end);
    }

    /** A text or a number that was shown. */
    void value(int start, int end) {
        if (kind == Kind.OBJECT && isOneOf(VALUE_KEYS)) {
            if (valuesOfName.isEmpty()) {
                valuesOfName = new ArrayList<>();
            }
            valuesOfName.add(new Span(start, end));
        }
    }

    /** The object or array that was begun last ends here; what of it was shown may be named yet. */
    void innerEnded(int end) {
        value(valueStart, end);
    }

    /** Values that were shown before their name came, which calls them secret; told once. */
    List<Span> hiddenLate() {
        var found = late;
        late = List.of();
        return found;
    }

    /** The next value has been passed. */
    void valueEnded() {
        position++;
        awaitsValue = false;
        hidesValue = hidesElementAfter;
        hidesNumber = hidesElementAfter;
        hidesElementAfter = false;
    }

    private boolean isOneOf(Set<String> keys) {
        return keys.contains(key.toLowerCase(Locale.ROOT));
    }

    private SchemaMarks nextMarks() {
        if (marks.isNone()) {
            return marks;
        }
        return switch (kind) {
            case TEXT -> marks;
            case OBJECT -> marks.member(key);
            case ARRAY -> marks.element();
        };
    }
}
