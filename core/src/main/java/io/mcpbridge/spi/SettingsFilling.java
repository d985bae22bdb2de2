package io.mcpbridge.spi;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.internal.json.LocatedJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Passes each text of a document through a filling; made for one document. */
final class SettingsFilling {
    private final UnaryOperator<String> filling;
    private final List<String> problems = new ArrayList<>();

    private SettingsFilling(UnaryOperator<String> filling) {
        this.filling = filling;
    }

    static Settings fill(LocatedJson document, UnaryOperator<String> filling) {
        var run = new SettingsFilling(filling);
        var filled = run.node(document);
        if (!(document.value() instanceof Map<?, ?>)) {
            run.problems.add("line %d: the document is %s but must be an object"
                    .formatted(document.line(), SettingsValues.shown(document)));
        }
        return Settings.of(filled, run.problems);
    }

    /** The same for the entries of one section. */
    static Map<String, LocatedJson> fill(
            Map<String, LocatedJson> entries, UnaryOperator<String> filling, Consumer<String> problems) {
        var run = new SettingsFilling(filling);
        var filled = run.members(entries);
        run.problems.forEach(problems);
        return filled;
    }

    private LocatedJson node(LocatedJson node) {
        if (node.value() instanceof String text) {
            return text(text, node);
        }
        if (node.value() instanceof List<?>) {
            return new LocatedJson(node.elements().stream().map(this::node).toList(), node.line());
        }
        if (node.value() instanceof Map<?, ?>) {
            return new LocatedJson(members(node.members()), node.line());
        }
        return node;
    }

    private Map<String, LocatedJson> members(Map<String, LocatedJson> members) {
        var filled = new LinkedHashMap<String, LocatedJson>();
        members.forEach((key, member) -> filled.put(key, node(member)));
        return filled;
    }

    private LocatedJson text(String text, LocatedJson node) {
        try {
            var filled = filling.apply(text);
            return new LocatedJson(filled, node.line(), !filled.equals(text));
        } catch (ConfigurationException wrong) {
            wrong.problems().forEach(problem -> problems.add("line %d: %s".formatted(node.line(), problem)));
            return node;
        }
    }
}
