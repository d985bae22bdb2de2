package io.mcpbridge.workflow;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks arguments against the schemas of tools as far as they are known before a run. Any thread. */
final class ArgumentCheck {
    /** The keywords that hold for an object whatever its values are. */
    private static final Set<String> OF_ANY_VALUES =
            Set.of("$schema", "$defs", "definitions", "type", "properties", "required", "additionalProperties");

    private static final int MAX_CHECKS = 256;

    /** The latest checks, since making one takes milliseconds. Locks itself. */
    private final Map<Key, SchemaCheck> checks = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, SchemaCheck> eldest) {
            return size() > MAX_CHECKS;
        }
    });

    /** @param open the arguments that have references, which match any schema */
    private record Key(ToolDefinition tool, List<String> open) {}

    /** The issues of arguments of a tool. */
    List<SchemaIssue> issues(ToolDefinition tool, Map<String, @Nullable Object> params) {
        var open = params.keySet().stream()
                .filter(name -> hasReference(params.get(name)))
                .toList();
        var key = new Key(tool, open);
        var check = checks.get(key);
        if (check == null) {
            check = check(key);
            checks.put(key, check);
        }
        var arguments = References.members(References.resolveOrNull(params, Map.of()));
        return check.issues(Json.of(arguments).text());
    }

    private static SchemaCheck check(Key key) {
        var schema = key.tool.inputSchema().map(Json::asMap).orElse(Map.of());
        try {
            return compile(key.open.isEmpty() ? schema : opened(schema, key.open));
        } catch (ConfigurationException uncheckable) {
            // The server decides whether it accepts the arguments.
            return json -> List.of();
        }
    }

    /** @throws ConfigurationException if the schema is invalid or cannot be checked */
    static SchemaCheck compile(Map<String, ?> schema) {
        return Providers.of(SchemaCheckProvider.class)
                .named("json-schema")
                .compile(Json.of(schema).text());
    }

    private static boolean hasReference(@Nullable Object value) {
        var found = new boolean[1];
        References.scan(value, path -> found[0] = true, mistake -> {});
        return found[0];
    }

    private static Map<String, @Nullable Object> opened(Map<String, @Nullable Object> schema, List<String> open) {
        var kept = new LinkedHashMap<>(schema);
        kept.keySet().retainAll(OF_ANY_VALUES);
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            var changed = new LinkedHashMap<String, @Nullable Object>();
            properties.forEach(
                    (name, property) -> changed.put(String.valueOf(name), open.contains(name) ? Map.of() : property));
            kept.put("properties", changed);
        }
        if (kept.get("additionalProperties") instanceof Map || schema.containsKey("patternProperties")) {
            kept.remove("additionalProperties");
        }
        return kept;
    }
}
