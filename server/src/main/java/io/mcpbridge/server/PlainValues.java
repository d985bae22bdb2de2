package io.mcpbridge.server;

import io.mcpbridge.internal.json.ScalarCodec;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts Java values to values that JSON has. Pure. */
final class PlainValues {

    private PlainValues() {}

    /**
     * Converts records to maps, arrays to lists, and dates, URIs and other values with a string form to strings. Other
     * values stay as they are.
     */
    static @Nullable Object of(@Nullable Object value) {
        if (value instanceof Record record) {
            return members(record);
        }
        if (value instanceof Optional<?> optional) {
            return of(optional.orElse(null));
        }
        if (value instanceof Map<?, ?> map) {
            var plain = new LinkedHashMap<String, @Nullable Object>();
            map.forEach((key, each) -> plain.put(String.valueOf(key), of(each)));
            return plain;
        }
        if (value instanceof Path path) {
            return path.toString();
        }
        if (value instanceof Iterable<?> list) {
            var plain = new ArrayList<@Nullable Object>();
            list.forEach(each -> plain.add(of(each)));
            return plain;
        }
        if (value != null && value.getClass().isArray()) {
            var plain = new ArrayList<@Nullable Object>();
            for (int i = 0; i < Array.getLength(value); i++) {
                plain.add(of(Array.get(value, i)));
            }
            return plain;
        }
        return value != null && ScalarCodec.isString(value.getClass()) ? value.toString() : value;
    }

    /** Omits empty optional members. */
    private static Map<String, @Nullable Object> members(Record record) {
        var plain = new LinkedHashMap<String, @Nullable Object>();
        for (var component : record.getClass().getRecordComponents()) {
            var value = value(component, record);
            if (!(value instanceof Optional<?> optional) || optional.isPresent()) {
                plain.put(component.getName(), of(value));
            }
        }
        return plain;
    }

    private static @Nullable Object value(RecordComponent component, Record record) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (IllegalAccessException | InvocationTargetException failed) {
            throw new IllegalArgumentException(
                    "cannot read '%s' of %s".formatted(component.getName(), record.getClass()), failed);
        }
    }
}
