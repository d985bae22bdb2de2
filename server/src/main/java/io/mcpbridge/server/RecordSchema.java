package io.mcpbridge.server;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.RecordReader;
import io.mcpbridge.internal.json.ScalarCodec;
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
 * Derives the JSON Schema of a Java record or of the parameters of a method, and makes them of arguments.
 *
 * <p>Members are strings, enums, URIs, UUIDs, dates, times, durations, numbers, booleans, records, collections and
 * arrays of these, and maps from strings to these. An {@link Optional} may be absent; all others are required,
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

    /**
     * The schema of an object with these members, as JSON.
     *
     * @throws IllegalArgumentException if the type of a member has no JSON form; the message names it
     */
    static String of(List<Member> members) {
        return JsonCodec.write(new RecordSchema().object(members));
    }

    /**
     * Makes the values of members of arguments, in the order of {@code members}.
     *
     * @throws InvalidArgumentsException if they do not fit
     */
    static List<Object> read(List<Member> members, Map<String, @Nullable Object> values) {
        return members.stream()
                .map(member -> READER.read(member.type(), values.get(member.name()), "/" + member.name()))
                .toList();
    }

    private Map<String, Object> object(Class<?> type) {
        if (enclosing.contains(type)) {
            throw new IllegalArgumentException(
                    "the record %s contains itself, which a schema without references cannot express"
                            .formatted(type.getName()));
        }
        enclosing.push(type);
        var schema =
                object(Arrays.stream(type.getRecordComponents()).map(Member::of).toList());
        enclosing.pop();
        return schema;
    }

    private Map<String, Object> object(List<Member> members) {
        var properties = new LinkedHashMap<String, Object>();
        var required = new ArrayList<String>();
        for (var member : members) {
            properties.put(member.name(), property(member));
            if (!(member.type() instanceof ParameterizedType generic) || generic.getRawType() != Optional.class) {
                required.add(member.name());
            }
        }
        var schema = ScalarCodec.schema("object", "properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private Map<String, Object> property(Member member) {
        var schema = new LinkedHashMap<String, Object>();
        if (member.description() != null) {
            schema.put("description", member.description().value());
        }
        schema.putAll(schema(member.type(), member));
        return schema;
    }

    private Map<String, Object> schema(Type type, Member member) {
        if (type instanceof ParameterizedType generic) {
            return ofGeneric(generic, member);
        }
        if (type instanceof Class<?> plain) {
            return ofClass(plain, member);
        }
        throw unsupported(type, member);
    }

    private Map<String, Object> ofGeneric(ParameterizedType type, Member member) {
        var arguments = type.getActualTypeArguments();
        var raw = (Class<?>) type.getRawType();
        if (raw == Optional.class) {
            return schema(arguments[0], member);
        }
        if (raw == List.class || raw == Set.class || raw == Collection.class) {
            return ScalarCodec.schema("array", "items", schema(arguments[0], member));
        }
        if (raw == Map.class && arguments[0] == String.class) {
            return ScalarCodec.schema("object", "additionalProperties", schema(arguments[1], member));
        }
        throw unsupported(type, member);
    }

    private Map<String, Object> ofClass(Class<?> type, Member member) {
        var scalar = ScalarCodec.of(type);
        if (scalar.isPresent()) {
            return scalar.get().schema();
        }
        if (type == boolean.class || type == Boolean.class) {
            return ScalarCodec.schema("boolean");
        }
        if (type.isEnum()) {
            var names = Arrays.stream(type.getEnumConstants())
                    .map(each -> ((Enum<?>) each).name())
                    .toList();
            return ScalarCodec.schema("string", "enum", names);
        }
        if (type.isRecord()) {
            return object(type);
        }
        if (type.isArray()) {
            return ScalarCodec.schema("array", "items", schema(type.getComponentType(), member));
        }
        throw unsupported(type, member);
    }

    private static IllegalArgumentException unsupported(Type type, Member member) {
        return RecordReader.unsupported("'%s' of %s".formatted(member.name(), member.owner()), type);
    }

    /**
     * A member of an object: a component of a record, or a parameter of a method.
     *
     * @param owner the record or method, for messages
     */
    record Member(String name, Type type, @Nullable Description description, String owner) {

        private static Member of(RecordComponent component) {
            return new Member(
                    component.getName(),
                    component.getGenericType(),
                    component.getAnnotation(Description.class),
                    component.getDeclaringRecord().getName());
        }
    }
}
