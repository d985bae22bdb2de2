package io.mcpbridge.serve.schema;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Java values as plain ones, which can be written as JSON. */
public final class PlainForm {

    private PlainForm() {}

    /**
     * Makes records maps, arrays lists, and of what stands for a text, such as a date or a URI, that text. What is none of
     * these stays as it is.
     */
    public static @Nullable Object of(@Nullable Object value) {
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
        return value != null && TextValues.isText(value.getClass()) ? value.toString() : value;
    }

    /** Members that are empty are left out. */
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
