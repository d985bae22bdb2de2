package io.mcpbridge.audit.redact;

import java.util.Locale;
import java.util.Optional;
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
    private Span valueOfName = Span.NONE;
    private Span late = Span.NONE;

    /** Where a value stands. */
    record Span(int start, int end) {
        static final Span NONE = new Span(0, 0);
    }

    private Level(Kind kind, boolean hidden, SchemaMarks marks) {
        this.kind = kind;
        this.hidden = hidden;
        this.marks = marks;
    }

    static Level outermost(SchemaMarks marks) {
        return new Level(Kind.TEXT, marks.isSecret(), marks);
    }

    /** An object or array as the next value. */
    Level inner(boolean object) {
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
            late = valueOfName;
        }
        value(start, end);
    }

    /** A text or a number that was shown. */
    void value(int start, int end) {
        if (kind == Kind.OBJECT && isOneOf(VALUE_KEYS)) {
            valueOfName = new Span(start, end);
        }
    }

    /** A value that was shown before its name came, which calls it secret; told once. */
    Optional<Span> hiddenLate() {
        var found = late;
        late = Span.NONE;
        return found.equals(Span.NONE) ? Optional.empty() : Optional.of(found);
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
