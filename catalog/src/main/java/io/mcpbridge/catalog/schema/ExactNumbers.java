package io.mcpbridge.catalog.schema;

import io.mcpbridge.message.JsonText;
import io.mcpbridge.spi.SchemaIssue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON whose numbers are those that were written, and the bound that keeps checking them cheap. Any thread. */
final class ExactNumbers {
    /** Written out in full, as some rules do it, a number with a greater one could fill the memory. */
    static final int MAX_EXPONENT = 1_000;

    static final ObjectMapper MAPPER = exact(new JsonFactory());

    private static final ObjectReader SCHEMAS = reader(Budgets.SCHEMA_DEPTH);
    private static final ObjectReader VALUES = reader(Budgets.VALUE_DEPTH);

    private ExactNumbers() {}

    /** Reads a schema, which may be nested as deep as the {@link Budgets} say. */
    static ObjectReader schemaReader() {
        return SCHEMAS;
    }

    /** The same for a value. */
    static ObjectReader valueReader() {
        return VALUES;
    }

    private static ObjectReader reader(int depth) {
        var constraints = StreamReadConstraints.builder().maxNestingDepth(depth).build();
        return exact(JsonFactory.builder().streamReadConstraints(constraints).build())
                .reader();
    }

    private static ObjectMapper exact(JsonFactory factory) {
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();
    }

    /** What is wrong with the numbers in a value. */
    static List<SchemaIssue> issues(JsonNode value) {
        var issues = new ArrayList<SchemaIssue>();
        collect(value, JsonPointer.empty(), issues);
        return issues;
    }

    /** The same text for equal values: members in the order of their names, and numbers by their value. */
    static String text(JsonNode value) {
        var written = new StringBuilder();
        write(value, written);
        return written.toString();
    }

    private static void write(JsonNode value, StringBuilder written) {
        if (value.isObject()) {
            written.append('{');
            value.propertyStream().sorted(Map.Entry.comparingByKey()).forEach(each -> {
                written.append(JsonText.quote(each.getKey())).append(':');
                write(each.getValue(), written);
                written.append(',');
            });
            written.append('}');
        } else if (value.isArray()) {
            written.append('[');
            value.forEach(each -> {
                write(each, written);
                written.append(',');
            });
            written.append(']');
        } else if (value.isNumber()) {
            written.append(value.decimalValue().stripTrailingZeros());
        } else {
            written.append(value);
        }
    }

    private static void collect(JsonNode value, JsonPointer place, List<SchemaIssue> issues) {
        if (value.isObject()) {
            value.properties().forEach(each -> collect(each.getValue(), place.appendProperty(each.getKey()), issues));
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                collect(value.get(i), place.appendIndex(i), issues);
            }
        } else if (value.isBigDecimal() && Math.abs((long) value.decimalValue().scale()) > MAX_EXPONENT) {
            issues.add(new SchemaIssue(
                    place.toString(),
                    "must be a number with an exponent from -%1$d to %1$d, but is %2$s"
                            .formatted(MAX_EXPONENT, value.decimalValue())));
        }
    }
}
