package io.mcpbridge.internal.json;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A value in a JSON document, with the line where it begins.
 *
 * @param value a {@code String}, {@code BigDecimal}, {@code Boolean}, null, {@code List<LocatedJson>} or {@code
 *     Map<String, LocatedJson>} in the order of the document
 * @param line counts from 1; 0 if the value did not come from a document
 * @param filledIn whether the text came from elsewhere and may be a secret
 */
public record LocatedJson(@Nullable Object value, int line, boolean filledIn) {

    /** A value that comes from the document. */
    public LocatedJson(@Nullable Object value, int line) {
        this(value, line, false);
    }

    /** A value of a program; of other values than maps, collections, numbers, booleans and null, their text. */
    public static LocatedJson of(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            var members = new LinkedHashMap<String, LocatedJson>();
            map.forEach((key, member) -> members.put(String.valueOf(key), of(member)));
            return new LocatedJson(members, 0);
        }
        if (value instanceof Collection<?> list) {
            return new LocatedJson(list.stream().map(LocatedJson::of).toList(), 0);
        }
        if (value instanceof Number number) {
            return new LocatedJson(new BigDecimal(number.toString()), 0);
        }
        return new LocatedJson(value instanceof Boolean || value == null ? value : value.toString(), 0);
    }

    /** The members, if this is an object; else none. */
    @SuppressWarnings("unchecked")
    public Map<String, LocatedJson> members() {
        return value instanceof Map<?, ?> map ? (Map<String, LocatedJson>) map : Map.of();
    }

    /** The elements, if this is an array; else none. */
    @SuppressWarnings("unchecked")
    public List<LocatedJson> elements() {
        return value instanceof List<?> list ? (List<LocatedJson>) list : List.of();
    }

    /**
     * A copy in which {@code change} replaced each value, given the keys that lead to it with dots between; the values
     * inside an object or array are replaced first.
     */
    public LocatedJson map(String path, BiFunction<String, LocatedJson, LocatedJson> change) {
        if (value instanceof Map<?, ?>) {
            var changed = new LinkedHashMap<String, LocatedJson>();
            members()
                    .forEach((name, member) ->
                            changed.put(name, member.map(path.isEmpty() ? name : path + "." + name, change)));
            return change.apply(path, new LocatedJson(changed, line));
        }
        if (value instanceof List<?>) {
            var changed =
                    elements().stream().map(each -> each.map(path, change)).toList();
            return change.apply(path, new LocatedJson(changed, line));
        }
        return change.apply(path, this);
    }
}
