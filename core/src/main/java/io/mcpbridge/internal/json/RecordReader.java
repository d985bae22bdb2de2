package io.mcpbridge.internal.json;

import io.mcpbridge.failure.ErrorText;
import java.lang.reflect.Array;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes Java records of plain JSON values. An {@link Optional} component may be missing or null; members that the record
 * does not have are ignored. Any thread may use it.
 */
public final class RecordReader {
    private final BiFunction<String, String, RuntimeException> mismatch;

    /** @param mismatch makes the exception for a value that does not fit from its JSON pointer and from what is wrong */
    public RecordReader(BiFunction<String, String, RuntimeException> mismatch) {
        this.mismatch = mismatch;
    }

    /**
     * Makes a record of an object.
     *
     * @throws RuntimeException that {@code mismatch} makes, if the object does not fit or the constructor rejects it
     * @throws IllegalArgumentException if a component has a type without a JSON form, or the record is not accessible
     */
    public <R extends Record> R read(Class<R> type, Object value) {
        return type.cast(record(type, value, ""));
    }

    /**
     * Makes a value of a type that a component may have.
     *
     * @param value null if it is missing
     * @param path its JSON pointer, for messages
     * @throws RuntimeException as {@link #read(Class, Object)} does
     */
    public Object read(Type type, @Nullable Object value, String path) {
        return value(type, value, path);
    }

    /** The exception for a type without a JSON form; {@code subject} has it. */
    public static IllegalArgumentException unsupported(String subject, Type type) {
        return new IllegalArgumentException(
                "%s has the type %s, which has no JSON form; use strings, dates, numbers, booleans, enums, records, lists, arrays, maps from String or Optional"
                        .formatted(subject, type.getTypeName()));
    }

    private Object record(Class<?> type, Object value, String path) {
        var members = expect(Map.class, "an object", value, path);
        var components = type.getRecordComponents();
        var types = new Class<?>[components.length];
        var arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            var name = components[i].getName();
            types[i] = components[i].getType();
            arguments[i] = value(components[i].getGenericType(), members.get(name), path + "/" + name);
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException rejected) {
            throw mismatch.apply(path, ErrorText.of(Objects.requireNonNullElse(rejected.getCause(), rejected)));
        } catch (ReflectiveOperationException | InaccessibleObjectException closed) {
            throw new IllegalArgumentException(
                    "the record %s cannot be created, since its package is closed; add 'opens %s to io.mcpbridge.core;' to the module-info of '%s'"
                            .formatted(
                                    type.getName(),
                                    type.getPackageName(),
                                    type.getModule().getName()),
                    closed);
        }
    }

    private Object value(Type type, @Nullable Object value, String path) {
        if (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class) {
            return Optional.ofNullable(value).map(some -> value(generic.getActualTypeArguments()[0], some, path));
        }
        if (value == null) {
            throw mismatch.apply(path, "is missing");
        }
        if (type instanceof ParameterizedType generic) {
            return generic(generic, value, path);
        }
        if (type instanceof Class<?> plain) {
            return plain(plain, value, path);
        }
        throw unsupported(path, type);
    }

    private Object generic(ParameterizedType type, Object value, String path) {
        var arguments = type.getActualTypeArguments();
        var raw = type.getRawType();
        if (raw == List.class || raw == Collection.class) {
            return elements(arguments[0], value, path);
        }
        if (raw == Set.class) {
            return new LinkedHashSet<>(elements(arguments[0], value, path));
        }
        if (raw == Map.class && arguments[0] == String.class) {
            Map<?, ?> members = expect(Map.class, "an object", value, path);
            var map = new LinkedHashMap<String, Object>();
            members.forEach((key, each) -> map.put(String.valueOf(key), value(arguments[1], each, path + "/" + key)));
            return map;
        }
        throw unsupported(path, type);
    }

    private List<Object> elements(Type type, Object value, String path) {
        List<?> list = expect(List.class, "an array", value, path);
        var elements = new ArrayList<Object>();
        list.forEach(each -> elements.add(value(type, each, path + "/" + elements.size())));
        return elements;
    }

    private Object plain(Class<?> type, Object value, String path) {
        var scalar = ScalarCodec.of(type);
        if (scalar.isPresent()) {
            return scalar(scalar.get(), value, path);
        }
        if (type == boolean.class || type == Boolean.class) {
            return expect(Boolean.class, "true or false", value, path);
        }
        if (type.isEnum()) {
            return constant(type, expect(String.class, "a string", value, path), path);
        }
        if (type.isRecord()) {
            return record(type, value, path);
        }
        if (type.isArray()) {
            return array(type.getComponentType(), elements(type.getComponentType(), value, path));
        }
        throw unsupported(path, type);
    }

    private Object scalar(ScalarCodec type, Object value, String path) {
        var isText = "string".equals(type.schema().get("type"));
        var checked =
                isText ? expect(String.class, "a string", value, path) : expect(Number.class, "a number", value, path);
        try {
            return type.read(checked);
        } catch (RuntimeException malformed) {
            throw mismatch.apply(path, ErrorText.of(malformed));
        }
    }

    private Object constant(Class<?> type, String name, String path) {
        var names = Arrays.stream(type.getEnumConstants())
                .map(each -> ((Enum<?>) each).name())
                .toList();
        if (!names.contains(name)) {
            throw mismatch.apply(path, "must be one of %s but is '%s'".formatted(names, JsonCodec.cut(name)));
        }
        return type.getEnumConstants()[names.indexOf(name)];
    }

    private static Object array(Class<?> type, List<Object> elements) {
        var array = Array.newInstance(type, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    private <T> T expect(Class<T> type, String kind, Object value, String path) {
        if (!type.isInstance(value)) {
            throw mismatch.apply(path, "must be %s but is %s".formatted(kind, kind(value)));
        }
        return type.cast(value);
    }

    private static String kind(Object value) {
        if (value instanceof Map<?, ?>) {
            return "an object";
        }
        if (value instanceof List<?>) {
            return "an array";
        }
        if (value instanceof String) {
            return "a string";
        }
        return value instanceof Number ? "a number" : value.toString();
    }
}
