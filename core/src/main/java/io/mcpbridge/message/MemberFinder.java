package io.mcpbridge.message;

import org.jspecify.annotations.Nullable;

/** Looks for a member of an object in a message, by its key. */
final class MemberFinder implements MemberVisitor {

    private final byte[] json;
    private final String key;
    private final JsonScanner scanner;
    private @Nullable Range found;

    private MemberFinder(byte[] json, String key) {
        this.json = json;
        this.key = key;
        this.scanner = new JsonScanner(json, Limits.OWN);
    }

    /** Where the value of a member lies, or null if there is none; passes over the object only for an unknown key. */
    static @Nullable Range find(Message message, Part object, Scope scope, String key) {
        int slot = Slots.of(scope, key);
        if (slot != Slots.NONE) {
            var spans = message.spans();
            return spans.has(slot) ? new Range(spans.start(slot), spans.end(slot)) : null;
        }
        var finder = new MemberFinder(message.array(), key);
        finder.scanner.object(message.start(object), 1, finder);
        return finder.found;
    }

    @Override
    public int member(int keyStart, int keyEnd, int value) {
        int end = scanner.value(value, 1);
        if (JsonText.decode(json, keyStart, keyEnd).equals(key)) {
            found = new Range(value, end);
        }
        return end;
    }

    /** Where a value lies. */
    record Range(int start, int end) {}
}
