package io.mcpbridge.workflow;

import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.tool.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow needs to start with. Immutable.
 *
 * @param schema the JSON Schema of the context
 * @param check checks by the schema
 * @param used the members that the steps use
 */
record WorkflowInput(Json schema, SchemaCheck check, Set<String> used) {

    /** Takes a schema without a type, too. */
    static WorkflowInput of(Map<String, @Nullable Object> given, Set<String> used, MistakeCollector mistakes) {
        var schema = new LinkedHashMap<String, @Nullable Object>(Map.of("type", "object"));
        schema.putAll(given);
        var check = mistakes.collect(() -> ArgumentCheck.compile(schema)).orElse(json -> List.of());
        if (!given.isEmpty()) {
            used.stream()
                    .filter(name -> !properties(schema).containsKey(name))
                    .forEach(name -> mistakes.add(
                            "the reference '${context.%s}' is neither in the 'properties' of 'input' nor assigned by a step"
                                    .formatted(name)));
        }
        return new WorkflowInput(Json.of(schema), check, Set.copyOf(used));
    }

    private static Map<?, ?> properties(Map<String, @Nullable Object> schema) {
        return schema.get("properties") instanceof Map<?, ?> properties ? properties : Map.of();
    }

    /** Adds what the context leaves out, with the default of the schema or null, and checks it. */
    Map<String, @Nullable Object> complete(Map<String, ? extends @Nullable Object> context, MistakeCollector mistakes) {
        check.issues(Json.of(context).text())
                .forEach(issue -> mistakes.add("the context does not fit 'input': " + issue));
        var complete = new LinkedHashMap<String, @Nullable Object>();
        properties(schema.asMap())
                .forEach((name, property) -> complete.put(
                        String.valueOf(name), property instanceof Map<?, ?> rules ? rules.get("default") : null));
        complete.putAll(context);
        used.stream()
                .filter(name -> !complete.containsKey(name))
                .forEach(name -> mistakes.add("the context has no '%s', which a step uses; add it".formatted(name)));
        return complete;
    }
}
