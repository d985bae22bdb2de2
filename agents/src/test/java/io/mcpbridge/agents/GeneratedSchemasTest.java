package io.mcpbridge.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.tool.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schemas made by chance become parameters that keep the published rules of the APIs. */
@Timeout(120)
class GeneratedSchemasTest {
    private static final List<String> NAMES = List.of("id", "type", "items", "$filter", "näme", "a b", "c/d", "50%");
    private static final List<String> REFERENCES =
            List.of("#", "#/$defs/node", "#/$defs/a%20b~1c", "#/%24defs/node", "#the-anchor", "#/properties/a%20b");

    private final Random random = new Random(7);

    @Test
    void parametersKeepTheRulesAndTheirReferencesHaveTargets() throws InterruptedException {
        var source = new RecordingTools();
        IntStream.range(0, 300)
                .forEach(number ->
                        source.tool("s", "tool/" + number, Json.of(root()).text()));
        var checks = Providers.of(SchemaCheckProvider.class).named("json-schema");

        var tools = AgentRunner.of(source).loadTools(List.of("s")).declarations();

        assertThat(tools).hasSize(300).allSatisfy(tool -> {
            assertThat(tool.name()).matches("[A-Za-z_][A-Za-z0-9_-]{0,63}");
            assertThat(tool.parameters())
                    .containsEntry("type", "object")
                    .doesNotContainKeys("allOf", "anyOf", "oneOf", "not", "enum", "const", "$ref");
            assertThat((Map<?, ?>) tool.parameters().get("properties"))
                    .allSatisfy((name, property) -> assertThat((String) name).matches("[A-Za-z0-9_.-]{1,64}"));
            check(tool.parameters(), tool.parameters());
            checks.compile(Json.of(tool.parameters()).text());
        });
    }

    /** Arrays have items, and references have a target. */
    private static void check(Map<?, ?> root, @Nullable Object part) {
        if (part instanceof List<?> list) {
            list.forEach(each -> check(root, each));
        }
        if (!(part instanceof Map<?, ?> members)) {
            return;
        }
        if ("array".equals(members.get("type"))) {
            assertThat(members.containsKey("items") || members.containsKey("prefixItems"))
                    .as("%s", members)
                    .isTrue();
        }
        if (members.get("$ref") instanceof String reference) {
            @Nullable Object target = root;
            for (var key : reference.substring(1).split("/", -1)) {
                target = key.isEmpty() ? target : child(target, key);
            }
            assertThat(target).as(reference).isNotNull();
        }
        members.values().forEach(each -> check(root, each));
    }

    private static @Nullable Object child(@Nullable Object parent, String key) {
        if (parent instanceof List<?> list) {
            return list.get(Integer.parseInt(key));
        }
        var name = URLDecoder.decode(key, StandardCharsets.UTF_8)
                .replace("~1", "/")
                .replace("~0", "~");
        return parent instanceof Map<?, ?> members ? members.get(name) : null;
    }

    private Map<String, Object> root() {
        var properties = properties(3);
        properties.put("a b", Map.of("type", "string"));
        var root = object(properties);
        var anchored = Map.of("$anchor", "the-anchor", "type", "string");
        switch (random.nextInt(5)) {
            case 0 -> root.put("anyOf", List.of(Map.of("properties", Map.of("x", anchored)), object(properties(2))));
            case 1 -> root.put("allOf", List.of(object(properties(1)), Map.of("properties", Map.of("x", anchored))));
            case 2 -> properties.put("näme", anchored);
            case 3 -> {
                root.put("not", Map.of("required", List.of("zz"), "properties", Map.of("zz", anchored)));
                root.put("$ref", "#/$defs/a%20b~1c");
            }
            default -> root.put("oneOf", List.of(anchored));
        }
        root.put("$defs", Map.of("node", object(properties(1)), "a b/c", object(properties(1))));
        return root;
    }

    private Map<String, Object> object(Map<String, Object> properties) {
        var object = new LinkedHashMap<String, Object>(Map.of("type", "object", "properties", properties));
        if (random.nextBoolean()) {
            object.put("required", List.copyOf(properties.keySet()));
        }
        return object;
    }

    private Map<String, Object> properties(int depth) {
        var properties = new LinkedHashMap<String, Object>();
        IntStream.range(0, random.nextInt(4)).forEach(i -> properties.put(any(NAMES), schema(depth)));
        return properties;
    }

    private Object schema(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 5)) {
            case 0 -> Map.of("type", "string", "maxLength", 9);
            case 1 -> Map.of("type", List.of("integer", "null"), "minimum", 0);
            case 2 -> Map.of("enum", List.of("a", 3));
            case 3 -> Map.of();
            case 4 -> Map.of("$ref", any(REFERENCES));
            case 5 -> Map.of("type", "array");
            case 6 -> Map.of("type", "array", "prefixItems", List.of(schema(depth - 1)));
            case 7 -> Map.of("anyOf", List.of(schema(depth - 1), schema(depth - 1)));
            default -> object(properties(depth - 1));
        };
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
