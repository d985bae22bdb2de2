package io.mcpbridge.message;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FieldNumbers.Scope;
import io.mcpbridge.message.JsonScanner.MemberVisitor;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields of one message in one pass.
 *
 * <p>Reads the members of the objects that have a {@link Scope}, at most three levels deep, and rejects duplicate keys
 * among them. Skips all other values.
 */
final class EnvelopeScanner {

    private static final int TOP_DEPTH = 1;

    private final byte[] json;
    private final JsonScanner scanner;
    private final Spans spans = new Spans();

    private EnvelopeScanner(byte[] json, Limits limits) {
        this.json = json;
        this.scanner = new JsonScanner(json, limits);
    }

    /** Finds the fields of a frame; rejects a frame that is not one JSON object. */
    static Spans scan(byte[] json, Limits limits) {
        if (json.length > limits.maxBytes()) {
            throw ProtocolErrors.tooLarge(limits);
        }
        var envelope = new EnvelopeScanner(json, limits);
        envelope.message();
        return envelope.spans;
    }

    /**
     * Finds the fields in one member that is not part of a message yet.
     *
     * @param json a comma and the member
     * @return the fields, or null if the text is not exactly one member
     */
    static @Nullable Spans scanMember(byte[] json, Scope scope) {
        var envelope = new EnvelopeScanner(json, Limits.OWN);
        int end = envelope.scanner.member(1, envelope.new Members(scope, TOP_DEPTH));
        return end == json.length ? envelope.spans : null;
    }

    private void message() {
        int open = scanner.space(0);
        requireObject(open);
        int end = scanner.space(object(open, Scope.TOP, TOP_DEPTH));
        if (end < json.length) {
            throw ProtocolErrors.request(
                    "Found '%s' behind the message at byte %d; a frame holds one message and nothing else"
                            .formatted(ProtocolErrors.excerpt(json, end, json.length), end));
        }
    }

    private void requireObject(int open) {
        byte first = scanner.byteAt(open);
        if (first == '{') {
            return;
        }
        if (first == '[') {
            throw ProtocolErrors.request("The message is an array, a batch; it must be one JSON object");
        }
        if (first < 0) {
            throw ProtocolErrors.encoding(json, open);
        }
        int end = scanner.value(open, 0);
        scanner.requireEnd(end);
        throw ProtocolErrors.value("message", json, open, end, "one JSON object");
    }

    private int object(int open, Scope scope, int depth) {
        return scanner.object(open, depth, new Members(scope, depth));
    }

    private int value(int at, @Nullable Scope inside, int depth) {
        if (inside == null || scanner.byteAt(at) != '{') {
            return scanner.value(at, depth);
        }
        return object(at, inside, depth + 1);
    }

    private ProtocolException duplicate(int keyStart, int keyEnd) {
        return ProtocolErrors.request("The key '%s' at byte %d stands twice in one object; it must stand once"
                .formatted(ProtocolErrors.excerpt(json, keyStart, keyEnd), keyStart));
    }

    /**
     * Visits the members of one object. Its only state that grows with the message is the set of keys that MCP does not
     * define.
     */
    private final class Members implements MemberVisitor {

        private final Scope scope;
        private final int depth;
        private Set<String> others = Set.of();

        private Members(Scope scope, int depth) {
            this.scope = scope;
            this.depth = depth;
        }

        @Override
        public int member(int keyStart, int keyEnd, int value) {
            int slot = slot(keyStart, keyEnd);
            int end = value(value, FieldNumbers.scopeInside(slot), depth);
            if (slot != FieldNumbers.NONE) {
                spans.set(slot, value, end);
            }
            return end;
        }

        /** The slot of a member; rejects a second member with the same key. */
        private int slot(int keyStart, int keyEnd) {
            int slot = FieldNumbers.of(scope, json, keyStart, keyEnd);
            if (slot == FieldNumbers.NONE) {
                slot = otherSlot(keyStart, keyEnd);
            }
            if (slot != FieldNumbers.NONE && spans.has(slot)) {
                throw duplicate(keyStart, keyEnd);
            }
            return slot;
        }

        /** The slot of a member whose key may be a known name written with escapes. */
        private int otherSlot(int keyStart, int keyEnd) {
            String key = JsonStrings.decode(json, keyStart, keyEnd);
            int slot = key.length() == keyEnd - keyStart ? FieldNumbers.NONE : FieldNumbers.of(scope, key);
            if (slot == FieldNumbers.NONE && !add(key)) {
                throw duplicate(keyStart, keyEnd);
            }
            return slot;
        }

        private boolean add(String key) {
            if (others.isEmpty()) {
                others = new HashSet<>();
            }
            if (others.size() == Limits.MAX_OTHER_KEYS) {
                var what = "An object of the envelope has more than %d keys unknown to MCP".formatted(others.size());
                throw ProtocolErrors.limit(what, "maxOtherKeys", Limits.MAX_OTHER_KEYS);
            }
            return others.add(key);
        }
    }

    /** Finds a member of an object in a message by its key. */
    static final class MemberFinder implements MemberVisitor {

        private final byte[] json;
        private final String key;
        private final JsonScanner scanner;
        private @Nullable Range found;

        private MemberFinder(byte[] json, String key) {
            this.json = json;
            this.key = key;
            this.scanner = new JsonScanner(json, Limits.OWN);
        }

        /**
         * The range of a member's value, or null if there is no such member. Scans the object only if the key is
         * unknown.
         */
        static @Nullable Range find(byte[] json, Spans spans, MessageField object, Scope scope, String key) {
            int slot = FieldNumbers.of(scope, key);
            if (slot != FieldNumbers.NONE) {
                return spans.has(slot) ? new Range(spans.start(slot), spans.end(slot)) : null;
            }
            var finder = new MemberFinder(json, key);
            finder.scanner.object(spans.start(object.slot()), 1, finder);
            return finder.found;
        }

        @Override
        public int member(int keyStart, int keyEnd, int value) {
            int end = scanner.value(value, 1);
            if (JsonStrings.decode(json, keyStart, keyEnd).equals(key)) {
                found = new Range(value, end);
            }
            return end;
        }

        /** The position of a value. */
        record Range(int start, int end) {}
    }
}
