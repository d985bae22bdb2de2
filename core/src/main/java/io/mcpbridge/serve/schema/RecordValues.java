package io.mcpbridge.serve.schema;

import io.mcpbridge.spi.SchemaIssue;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a record of plain values that fit its {@link RecordSchema}. */
public final class RecordValues {

    private RecordValues() {}

    /**
     * The record.
     *
     * @throws UnfitException if the record itself refuses them, or a text has not the form of its type
     */
    public static <A extends Record> A read(Class<A> type, Map<String, @Nullable Object> values) {
        return type.cast(record(type, values, ""));
    }

    private static Object record(Class<?> type, Map<?, ?> values, String path) {
        var components = type.getRecordComponents();
        var types = new Class<?>[components.length];
        var arguments = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            var name = components[i].getName();
            types[i] = components[i].getType();
            arguments[i] = value(components[i].getGenericType(), values.get(name), path + "/" + name);
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException refused) {
            var why = refused.getCause();
            throw unfit(path, why == null ? refused : why);
        }
    }

    private static @Nullable Object value(Type type, @Nullable Object value, String path) {
        if (type instanceof ParameterizedType generic) {
            return generic(generic, value, path);
        }
        return plain((Class<?>) type, value, path);
    }

    private static Object generic(ParameterizedType type, @Nullable Object value, String path) {
        var arguments = type.getActualTypeArguments();
        if (type.getRawType() == Optional.class) {
            return value == null ? Optional.empty() : Optional.ofNullable(value(arguments[0], value, path));
        }
        if (value instanceof Map<?, ?> members) {
            var map = new LinkedHashMap<String, @Nullable Object>();
            members.forEach((key, each) -> map.put(String.valueOf(key), value(arguments[1], each, path + "/" + key)));
            return map;
        }
        var elements = elements(arguments[0], (List<?>) value, path);
        return type.getRawType() == Set.class ? new LinkedHashSet<>(elements) : elements;
    }

    private static List<@Nullable Object> elements(Type type, @Nullable List<?> list, String path) {
        var elements = new ArrayList<@Nullable Object>();
        if (list != null) {
            list.forEach(each -> elements.add(value(type, each, path + "/" + elements.size())));
        }
        return elements;
    }

    private static @Nullable Object plain(Class<?> type, @Nullable Object value, String path) {
        if (value instanceof String text) {
            return text(type, text, path);
        }
        if (value instanceof Number number) {
            return number(type, number, path);
        }
        if (value instanceof Map<?, ?> members) {
            return record(type, members, path);
        }
        return value instanceof List<?> list ? array(type.getComponentType(), list, path) : value;
    }

    private static Object number(Class<?> type, Number number, String path) {
        try {
            return NumberValues.read(type, number);
        } catch (ArithmeticException tooLarge) {
            throw unfit(path, tooLarge);
        }
    }

    private static Object array(Class<?> type, List<?> list, String path) {
        var elements = elements(type, list, path);
        var array = Array.newInstance(type, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    private static Object text(Class<?> type, String text, String path) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(each -> ((Enum<?>) each).name().equals(text))
                    .findFirst()
                    .orElseThrow();
        }
        try {
            return TextValues.read(type, text);
        } catch (RuntimeException malformed) {
            throw unfit(path, malformed);
        }
    }

    private static UnfitException unfit(String path, Throwable why) {
        var words = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        return new UnfitException(List.of(new SchemaIssue(path, words)));
    }
}
