package io.mcpbridge.server;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives the JSON Schema of a Java record, and makes records of arguments, for tools whose arguments are a record.
 *
 * <p>Components are strings, enums, URIs, UUIDs, dates, times, durations, numbers, booleans, records, collections and
 * arrays of these, and maps from strings to these. An {@link Optional} may be absent; all other members are required,
 * and no others are allowed.
 */
final class RecordSchema {
    private final Deque<Class<?>> enclosing = new ArrayDeque<>();

    private RecordSchema() {}

    /**
     * The schema as JSON.
     *
     * @throws IllegalArgumentException if the type of a component has no JSON form; the message names it
     */
    static String of(Class<? extends Record> type) {
        return JsonCodec.write(new RecordSchema().object(type));
    }

    /**
     * Makes a record of arguments that fit its schema.
     *
     * @throws InvalidArgumentsException if the constructor of the record rejects them, or a string has not the form of its
     *     type
     */
    static <A extends Record> A read(Class<A> type, Map<String, @Nullable Object> values) {
        return type.cast(RecordReader.record(type, values, ""));
    }

    private Map<String, Object> object(Class<?> type) {
        if (enclosing.contains(type)) {
            throw new IllegalArgumentException(
                    "the record %s contains itself, which a schema without references cannot express"
                            .formatted(type.getName()));
        }
        enclosing.push(type);
        var properties = new LinkedHashMap<String, Object>();
        var required = new ArrayList<String>();
        for (var component : type.getRecordComponents()) {
            properties.put(component.getName(), property(component));
            if (component.getType() != Optional.class) {
                required.add(component.getName());
            }
        }
        enclosing.pop();
        var schema = ScalarType.schema("object", "properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private Map<String, Object> property(RecordComponent component) {
        var schema = new LinkedHashMap<String, Object>();
        var description = component.getAnnotation(Description.class);
        if (description != null) {
            schema.put("description", description.value());
        }
        schema.putAll(schema(component.getGenericType(), component));
        return schema;
    }

    private Map<String, Object> schema(Type type, RecordComponent component) {
        if (type instanceof ParameterizedType generic) {
            return ofGeneric(generic, component);
        }
        if (type instanceof Class<?> plain) {
            return ofClass(plain, component);
        }
        throw unsupported(type, component);
    }

    private Map<String, Object> ofGeneric(ParameterizedType type, RecordComponent component) {
        var arguments = type.getActualTypeArguments();
        var raw = (Class<?>) type.getRawType();
        if (raw == Optional.class) {
            return schema(arguments[0], component);
        }
        if (raw == List.class || raw == Set.class || raw == Collection.class) {
            return ScalarType.schema("array", "items", schema(arguments[0], component));
        }
        if (raw == Map.class && arguments[0] == String.class) {
            return ScalarType.schema("object", "additionalProperties", schema(arguments[1], component));
        }
        throw unsupported(type, component);
    }

    private Map<String, Object> ofClass(Class<?> type, RecordComponent component) {
        var scalar = ScalarType.of(type);
        if (scalar.isPresent()) {
            return scalar.get().schema();
        }
        if (type == boolean.class || type == Boolean.class) {
            return ScalarType.schema("boolean");
        }
        if (type.isEnum()) {
            var names = Arrays.stream(type.getEnumConstants())
                    .map(each -> ((Enum<?>) each).name())
                    .toList();
            return ScalarType.schema("string", "enum", names);
        }
        if (type.isRecord()) {
            return object(type);
        }
        if (type.isArray()) {
            return ScalarType.schema("array", "items", schema(type.getComponentType(), component));
        }
        throw unsupported(type, component);
    }

    private static IllegalArgumentException unsupported(Type type, RecordComponent component) {
        return new IllegalArgumentException(
                "'%s' of %s has the type %s, which has no JSON form; use strings, dates, numbers, booleans, enums, records, lists, arrays, maps from String or Optional"
                        .formatted(
                                component.getName(),
                                component.getDeclaringRecord().getName(),
                                type.getTypeName()));
    }

    /** Makes records of arguments that fit their schema. */
    private static final class RecordReader {

        private RecordReader() {}

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
                throw invalid(path, why == null ? refused : why);
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
                members.forEach(
                        (key, each) -> map.put(String.valueOf(key), value(arguments[1], each, path + "/" + key)));
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
            if (value instanceof String name && type.isEnum()) {
                return constant(type, name);
            }
            if (value instanceof String || value instanceof Number) {
                return scalar(type, value, path);
            }
            if (value instanceof Map<?, ?> members) {
                return record(type, members, path);
            }
            return value instanceof List<?> list ? array(type.getComponentType(), list, path) : value;
        }

        private static Object constant(Class<?> type, String name) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(each -> ((Enum<?>) each).name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        private static Object scalar(Class<?> type, Object value, String path) {
            try {
                return ScalarType.of(type).orElseThrow().read(value);
            } catch (RuntimeException malformed) {
                throw invalid(path, malformed);
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

        private static InvalidArgumentsException invalid(String path, Throwable why) {
            return new InvalidArgumentsException(List.of(new SchemaIssue(path, ErrorText.of(why))));
        }
    }
}
