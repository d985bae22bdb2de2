package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Splits an object or an array of a message into the JSON texts of its members or elements, byte for byte.
 *
 * <p>Rejects duplicate keys at the top level only. {@code JsonCodec.rawMembers} and {@code rawElements} reject them at
 * every level; use those for values that are read completely.
 */
public final class RawJsonParts {

    private RawJsonParts() {}

    /**
     * The members of an object in their order.
     *
     * @throws ProtocolException if it is not a JSON object, or has a key twice
     */
    public static Map<String, String> members(String json) {
        byte[] bytes = json.getBytes(UTF_8);
        var scanner = new JsonScanner(bytes, Limits.OWN);
        int open = open(scanner, bytes, '{', "an object");
        var members = new LinkedHashMap<String, String>();
        int end = scanner.object(open, 1, (keyStart, keyEnd, value) -> {
            int valueEnd = scanner.value(value, 1);
            var key = JsonStrings.decode(bytes, keyStart, keyEnd);
            if (members.put(key, text(bytes, value, valueEnd)) != null) {
                throw ProtocolErrors.request(
                        "The key '%s' stands twice in one object; it must stand once".formatted(key));
            }
            return valueEnd;
        });
        scanner.requireEnd(end);
        return members;
    }

    /**
     * The first member with this key whose value is a string, decoded; empty if there is none. The object may have the
     * key twice.
     */
    public static Optional<String> firstText(String json, String key) {
        byte[] bytes = json.getBytes(UTF_8);
        var scanner = new JsonScanner(bytes, Limits.OWN);
        int open = scanner.space(0);
        if (scanner.byteAt(open) != '{') {
            return Optional.empty();
        }
        var found = new ArrayList<String>();
        scanner.object(open, 1, (keyStart, keyEnd, value) -> {
            int end = scanner.value(value, 1);
            if (scanner.byteAt(value) == '"'
                    && JsonStrings.decode(bytes, keyStart, keyEnd).equals(key)) {
                found.add(JsonStrings.decode(bytes, value + 1, end - 1));
            }
            return end;
        });
        return found.stream().findFirst();
    }

    /**
     * The elements of an array.
     *
     * @throws ProtocolException if it is not a JSON array
     */
    public static List<String> elements(String json) {
        return firstElements(json, Long.MAX_VALUE);
    }

    /**
     * The first elements of an array. The rest of the text is not read.
     *
     * @param most the maximum number of elements
     * @throws ProtocolException if the text that was read is not a JSON array
     */
    public static List<String> firstElements(String json, long most) {
        byte[] bytes = json.getBytes(UTF_8);
        var scanner = new JsonScanner(bytes, Limits.OWN);
        var elements = new ArrayList<String>();
        int open = open(scanner, bytes, '[', "an array");
        int end = scanner.elements(open, most, (from, to) -> elements.add(text(bytes, from, to)));
        if (end >= 0) {
            scanner.requireEnd(end);
        }
        return elements;
    }

    private static int open(JsonScanner scanner, byte[] json, char bracket, String what) {
        int open = scanner.space(0);
        if (scanner.byteAt(open) != bracket) {
            throw ProtocolErrors.request(
                    "expected %s but found %s".formatted(what, ProtocolErrors.excerpt(json, open, json.length)));
        }
        return open;
    }

    private static String text(byte[] json, int from, int to) {
        return new String(json, from, to - from, UTF_8);
    }
}
