package io.mcpbridge.serve.schema;

import io.mcpbridge.internal.json.Json;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON Schema of a Java record, for tools that take one.
 *
 * <p>Components are texts (strings, enums, URIs, UUIDs, dates, times, durations), numbers, booleans, records, lists and
 * arrays of these, and maps from strings to these. An {@link Optional} may be left out, everything else has to be there,
 * and nothing else may be.
 */
public final class RecordSchema {
    private final Deque<Class<?>> around = new ArrayDeque<>();

    private RecordSchema() {}

    /**
     * The schema as JSON.
     *
     * @throws IllegalArgumentException if a component has a type that no JSON value stands for; the message names it
     */
    public static String of(Class<? extends Record> type) {
        return Json.write(new RecordSchema().object(type));
    }

    private Map<String, Object> object(Class<?> type) {
        if (around.contains(type)) {
            throw new IllegalArgumentException(
                    "the record %s contains itself, which a schema without references cannot say"
                            .formatted(type.getName()));
        }
        around.push(type);
        var properties = new LinkedHashMap<String, Object>();
        var required = new ArrayList<String>();
        for (var component : type.getRecordComponents()) {
            properties.put(component.getName(), property(component));
            if (component.getType() != Optional.class) {
                required.add(component.getName());
            }
        }
        around.pop();
        var schema = new LinkedHashMap<String, Object>();
        schema.put("type", "object");
        schema.put("properties", properties);
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
        throw refusal(type, component);
    }

    private Map<String, Object> ofGeneric(ParameterizedType type, RecordComponent component) {
        var arguments = type.getActualTypeArguments();
        var raw = (Class<?>) type.getRawType();
        if (raw == Optional.class) {
            return schema(arguments[0], component);
        }
        if (Values.isCollection(raw)) {
            return Values.object("type", "array", "items", schema(arguments[0], component));
        }
        if (raw == Map.class && arguments[0] == String.class) {
            return Values.object("type", "object", "additionalProperties", schema(arguments[1], component));
        }
        throw refusal(type, component);
    }

    private Map<String, Object> ofClass(Class<?> type, RecordComponent component) {
        if (TextValues.isText(type)) {
            return TextValues.schema(type);
        }
        if (NumberValues.isNumber(type)) {
            return NumberValues.schema(type);
        }
        if (type == boolean.class || type == Boolean.class) {
            return Values.object("type", "boolean");
        }
        if (type.isEnum()) {
            var names = Arrays.stream(type.getEnumConstants())
                    .map(each -> ((Enum<?>) each).name())
                    .toList();
            return Values.object("type", "string", "enum", names);
        }
        if (type.isRecord()) {
            return object(type);
        }
        if (type.isArray()) {
            return Values.object("type", "array", "items", schema(type.getComponentType(), component));
        }
        throw refusal(type, component);
    }

    private static IllegalArgumentException refusal(Type type, RecordComponent component) {
        return new IllegalArgumentException(
                "'%s' of %s is of type %s, which no JSON value stands for; use texts, numbers, booleans, enums, records, lists, arrays, maps from String or Optional"
                        .formatted(
                                component.getName(),
                                component.getDeclaringRecord().getName(),
                                type.getTypeName()));
    }
}
