package io.mcpbridge.gateway;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.ClientStatus;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Defines the methods of the administrative socket and converts their results from and to JSON.
 *
 * <p>A record is a JSON object whose members are its components, in their order. In a list of records, the first
 * component of each is its name, and the list is an object. A duration is a number of microseconds. A missing member,
 * such as of an older daemon, gets a default.
 */
final class AdminJson {
    static final String HEALTH = "bridge/health";
    static final String SERVERS = "bridge/servers";
    static final String CLIENTS = "bridge/clients";

    private static final Map<Class<?>, BiFunction<Settings, String, Object>> READERS = Map.of(
            String.class, (section, name) -> section.text(name, ""),
            boolean.class, (section, name) -> section.flag(name, false),
            int.class, (section, name) -> section.integer(name, 0),
            long.class, (section, name) -> (long) section.number(name, 0),
            double.class, (section, name) -> section.number(name, 0),
            Instant.class,
                    (section, name) -> section.text(name).map(Instant::parse).orElse(Instant.EPOCH),
            Duration.class, (section, name) -> Duration.of(section.integer(name, 0), ChronoUnit.MICROS),
            Principal.class,
                    (section, name) -> new Principal(section.text("user", "unknown"), section.text("proof", "none")));

    /** Members that are the empty string if the component is empty; other members are left out. */
    private static final Set<String> BLANK_IF_EMPTY = Set.of("errorAt", "oldestSuspended");

    /** The result of {@value AdminJson#SERVERS}. */
    record Servers(List<ManagedServerStatus> servers) {}

    /** The result of {@value AdminJson#CLIENTS}. */
    record Clients(List<ClientStatus> clients) {}

    private AdminJson() {}

    static String write(Record value) {
        return members(value, 0);
    }

    private static String members(Record value, int first) {
        return Stream.of(value.getClass().getRecordComponents())
                .skip(first)
                .flatMap(component -> members(component, value))
                .collect(joining(",", "{", "}"));
    }

    private static Stream<String> members(RecordComponent component, Record owner) {
        var value = value(component, owner);
        if (value instanceof Principal user) {
            return Stream.of(member("user", json(user.name())), member("proof", json(user.proof())));
        }
        var json = value instanceof List<?> list ? list(list, component.getGenericType()) : json(value);
        var isBlank = json.isEmpty() && BLANK_IF_EMPTY.contains(component.getName());
        return Stream.of(isBlank ? json("") : json)
                .filter(text -> !text.isEmpty())
                .map(text -> member(component.getName(), text));
    }

    private static String member(String name, String json) {
        return JsonStrings.quote(name) + ":" + json;
    }

    private static Object value(RecordComponent component, Record owner) {
        try {
            return Objects.requireNonNull(component.getAccessor().invoke(owner));
        } catch (ReflectiveOperationException defect) {
            throw new IllegalStateException("cannot read %s of %s".formatted(component, owner), defect);
        }
    }

    private static String list(List<?> values, Type type) {
        return element(type) == String.class
                ? values.stream().map(AdminJson::json).collect(joining(",", "[", "]"))
                : values.stream().map(value -> named((Record) value)).collect(joining(",", "{", "}"));
    }

    private static String named(Record value) {
        var name = value(value.getClass().getRecordComponents()[0], value);
        return member(name.toString(), members(value, 1));
    }

    /** The JSON of a value that is no list; the empty string if there is no value. */
    private static String json(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(AdminJson::json).orElse("");
        }
        if (value instanceof OptionalLong optional) {
            return optional.isPresent() ? Long.toString(optional.getAsLong()) : "";
        }
        if (value instanceof Record object) {
            return write(object);
        }
        if (value instanceof Duration span) {
            return Long.toString(span.toNanos() / 1_000);
        }
        if (value instanceof Double number && !Double.isFinite(number)) {
            return "0";
        }
        var text = value.toString();
        return value instanceof Number || value instanceof Boolean ? text : JsonStrings.quote(text);
    }

    static <T extends Record> T read(Class<T> type, String json) {
        return type.cast(record(type, "", Settings.parse(json)));
    }

    /** @param key the first component of a record in a list; else the empty string */
    private static Object record(Class<?> type, String key, Settings section) {
        var components = type.getRecordComponents();
        var types = new Class<?>[components.length];
        var values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            var isKey = i == 0 && !key.isEmpty();
            types[i] = components[i].getType();
            values[i] = isKey ? key : value(components[i].getGenericType(), section, components[i].getName());
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException defect) {
            throw new IllegalStateException("cannot create %s".formatted(type), defect);
        }
    }

    private static Object value(Type type, Settings section, String name) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class
                    ? list(element(type), section, name)
                    : optional(element(type), section, name);
        }
        if (type == OptionalLong.class) {
            return section.has(name) ? OptionalLong.of((long) section.number(name, 0)) : OptionalLong.empty();
        }
        var reader = READERS.get(type);
        return reader == null ? record((Class<?>) type, "", section.section(name)) : reader.apply(section, name);
    }

    private static Class<?> element(Type generic) {
        return (Class<?>) ((ParameterizedType) generic).getActualTypeArguments()[0];
    }

    private static List<?> list(Class<?> element, Settings section, String name) {
        if (element == String.class) {
            return section.texts(name);
        }
        return section.sections(name).entrySet().stream()
                .map(entry -> record(element, entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Optional<?> optional(Class<?> element, Settings section, String name) {
        if (element == SandboxLevel.class) {
            // Empty for an unknown level, such as of a newer daemon.
            return Stream.of(SandboxLevel.values())
                    .filter(level -> section.says(name, level.name()))
                    .findFirst();
        }
        return section.has(name) && !section.says(name, "")
                ? Optional.of(value(element, section, name))
                : Optional.empty();
    }
}
