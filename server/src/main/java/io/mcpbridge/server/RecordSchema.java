package io.mcpbridge.server;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.RecordReader;
import io.mcpbridge.internal.json.ScalarType;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
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
    private static final RecordReader READER =
            new RecordReader((path, why) -> new InvalidArgumentsException(List.of(new SchemaIssue(path, why))));

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
     * Makes a record of arguments.
     *
     * @throws InvalidArgumentsException if they do not fit, or the constructor of the record rejects them
     */
    static <A extends Record> A read(Class<A> type, Map<String, @Nullable Object> values) {
        return READER.read(type, values);
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
        return RecordReader.unsupported(
                "'%s' of %s"
                        .formatted(
                                component.getName(),
                                component.getDeclaringRecord().getName()),
                type);
    }
}
