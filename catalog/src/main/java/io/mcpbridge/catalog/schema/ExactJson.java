package io.mcpbridge.catalog.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON with exact numbers, whose exponents have a bound so that checks stay cheap. Any thread. */
final class ExactJson {
    /** Some keywords write a number in full; with a larger exponent it could fill the memory. */
    static final int MAX_EXPONENT = 1_000;

    static final ObjectMapper MAPPER = exact(new JsonFactory());

    /** Reads a schema, which may be nested 100 levels deep. */
    static final ObjectReader SCHEMAS = reader(100);

    /** Reads a value, which may be nested 500 levels deep. */
    static final ObjectReader VALUES = reader(500);

    private ExactJson() {}

    private static ObjectReader reader(int depth) {
        var constraints = StreamReadConstraints.builder().maxNestingDepth(depth).build();
        return exact(JsonFactory.builder().streamReadConstraints(constraints).build())
                .reader();
    }

    private static ObjectMapper exact(JsonFactory factory) {
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .nodeFactory(new Integers())
                .build();
    }

    /** The library compares nodes: an integer has the same one however it was written, as {@code 10}, {@code 1e1}, {@code 10.0}. */
    private static final class Integers extends JsonNodeFactory {
        private static final long serialVersionUID = 1L;

        @Override
        public ValueNode numberNode(@Nullable BigDecimal number) {
            return number == null || number.scale() > 0 || exceedsBounds(number)
                    ? super.numberNode(number)
                    : integer(number.toBigIntegerExact());
        }

        private ValueNode integer(BigInteger number) {
            if (number.bitLength() < Integer.SIZE) {
                return numberNode(number.intValue());
            }
            return number.bitLength() < Long.SIZE ? numberNode(number.longValue()) : numberNode(number);
        }
    }

    /** The numbers out of bounds in a value. */
    static List<SchemaIssue> issues(JsonNode value) {
        var issues = new ArrayList<SchemaIssue>();
        collect(value, JsonPointer.empty(), issues);
        return issues;
    }

    /** The canonical text of a value: equal values have the same one. */
    static String text(JsonNode value) {
        var written = new StringBuilder();
        write(value, written);
        return written.toString();
    }

    private static void write(JsonNode value, StringBuilder written) {
        if (value.isObject()) {
            written.append('{');
            value.propertyStream().sorted(Map.Entry.comparingByKey()).forEach(each -> {
                written.append(JsonStrings.quote(each.getKey())).append(':');
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
        } else if (value.isBigDecimal() && exceedsBounds(value.decimalValue())) {
            issues.add(new SchemaIssue(
                    place.toString(),
                    "must be a number with an exponent from -%1$d to %1$d, but is %2$s"
                            .formatted(MAX_EXPONENT, value.decimalValue())));
        }
    }

    private static boolean exceedsBounds(BigDecimal number) {
        return Math.abs((long) number.scale()) > MAX_EXPONENT;
    }
}
