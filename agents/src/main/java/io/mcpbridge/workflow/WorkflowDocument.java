package io.mcpbridge.workflow;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.tool.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads YAML and JSON into maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans and nulls. Pure. */
final class WorkflowDocument {
    private static final int MAX_DEPTH = 100;

    /** Few aliases, since they multiply. */
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setCodePointLimit(Workflow.MAX_BYTES)
            .setMaxAliasesForCollections(10)
            .build();

    private WorkflowDocument() {}

    /** @throws ConfigurationException if it is neither, with line and column */
    static @Nullable Object read(String text) {
        if (text.length() > Workflow.MAX_BYTES) {
            throw ConfigurationException.of("a workflow has %d characters but may have at most %d"
                    .formatted(text.length(), Workflow.MAX_BYTES));
        }
        try {
            return text.stripLeading().startsWith("{") ? json(text) : plain(new Load(SETTINGS).loadFromString(text), 0);
        } catch (YamlEngineException | ProtocolException malformed) {
            throw ConfigurationException.of("it is neither YAML nor JSON: " + malformed.getMessage());
        } catch (StackOverflowError deep) {
            throw tooDeep();
        }
    }

    /** A text that begins with a brace may also be YAML, whose rules for a JSON text are looser. */
    private static @Nullable Object json(String text) {
        try {
            return Json.parse(text).value();
        } catch (ProtocolException notJson) {
            return plain(new Load(SETTINGS).loadFromString(text), 0);
        }
    }

    private static @Nullable Object plain(@Nullable Object value, int depth) {
        if (depth > MAX_DEPTH) {
            throw tooDeep();
        }
        if (value instanceof Map<?, ?> members) {
            var plain = new LinkedHashMap<String, @Nullable Object>();
            members.forEach((name, member) -> plain.put(String.valueOf(name), plain(member, depth + 1)));
            return plain;
        }
        if (value instanceof List<?> elements) {
            var plain = new ArrayList<@Nullable Object>();
            elements.forEach(element -> plain.add(plain(element, depth + 1)));
            return plain;
        }
        return value instanceof Number number ? number(number) : scalar(value);
    }

    private static Number number(Number number) {
        if (number instanceof Integer whole) {
            return whole.longValue();
        }
        if (number instanceof BigInteger large) {
            return new BigDecimal(large);
        }
        if (number instanceof Double fraction && !Double.isFinite(fraction)) {
            throw ConfigurationException.of(
                    "the number %s has no form in JSON; write it as a text".formatted(fraction));
        }
        return number instanceof Double fraction ? BigDecimal.valueOf(fraction) : number;
    }

    private static @Nullable Object scalar(@Nullable Object value) {
        return value == null || value instanceof Boolean ? value : value.toString();
    }

    private static ConfigurationException tooDeep() {
        return ConfigurationException.of("the workflow is nested more than %d levels deep".formatted(MAX_DEPTH));
    }
}
