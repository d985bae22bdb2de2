package io.mcpbridge.spi;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.internal.json.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Passes each text of a document through a filling; made for one document. */
final class SettingsFilling {
    private final UnaryOperator<String> filling;
    private final List<String> problems = new ArrayList<>();

    private SettingsFilling(UnaryOperator<String> filling) {
        this.filling = filling;
    }

    static Settings fill(JsonNode document, UnaryOperator<String> filling) {
        var run = new SettingsFilling(filling);
        var filled = run.node(document);
        if (!(document.value() instanceof Map<?, ?>)) {
            run.problems.add("line %d: the document is %s but must be an object"
                    .formatted(document.line(), SettingsValues.shown(document)));
        }
        return Settings.of(filled, run.problems);
    }

    private JsonNode node(JsonNode node) {
        if (node.value() instanceof String text) {
            return text(text, node);
        }
        if (node.value() instanceof List<?>) {
            return new JsonNode(node.elements().stream().map(this::node).toList(), node.line());
        }
        if (node.value() instanceof Map<?, ?>) {
            var members = new LinkedHashMap<String, JsonNode>();
            node.members().forEach((key, member) -> members.put(key, node(member)));
            return new JsonNode(members, node.line());
        }
        return node;
    }

    private JsonNode text(String text, JsonNode node) {
        try {
            var filled = filling.apply(text);
            return new JsonNode(filled, node.line(), !filled.equals(text));
        } catch (ConfigurationException wrong) {
            wrong.problems().forEach(problem -> problems.add("line %d: %s".formatted(node.line(), problem)));
            return node;
        }
    }
}
