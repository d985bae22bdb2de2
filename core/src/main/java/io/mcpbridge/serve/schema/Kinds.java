package io.mcpbridge.serve.schema;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types of JSON Schema, for plain values. */
final class Kinds {
    /** Those that there are. */
    static final Set<String> ALL = Set.of("object", "array", "string", "number", "integer", "boolean", "null");

    private Kinds() {}

    static boolean is(@Nullable Object value, String type) {
        return switch (type) {
            case "object" -> value instanceof Map<?, ?>;
            case "array" -> value instanceof List<?>;
            case "string" -> value instanceof String;
            case "number" -> value instanceof Number;
            case "integer" -> value instanceof Long || (value instanceof BigDecimal number && isWhole(number));
            case "boolean" -> value instanceof Boolean;
            default -> value == null;
        };
    }

    private static boolean isWhole(BigDecimal number) {
        return number.signum() == 0
                || number.scale() <= 0
                || number.stripTrailingZeros().scale() <= 0;
    }

    /** What a value is, for messages. */
    static String of(@Nullable Object value) {
        if (value instanceof Map<?, ?>) {
            return "object";
        }
        if (value instanceof List<?>) {
            return "array";
        }
        if (value instanceof String) {
            return "string";
        }
        if (value instanceof Boolean) {
            return "boolean";
        }
        if (value == null) {
            return "null";
        }
        return is(value, "integer") ? "integer" : "number";
    }

    /** Whether two values are the same to JSON Schema, for which 1 is 1.0. */
    static boolean areEqual(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Number a && other instanceof Number b) {
            return decimal(a).compareTo(decimal(b)) == 0;
        }
        if (one instanceof List<?> a && other instanceof List<?> b) {
            if (a.size() != b.size()) {
                return false;
            }
            for (int i = 0; i < a.size(); i++) {
                if (!areEqual(a.get(i), b.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
            return a.keySet().equals(b.keySet())
                    && a.entrySet().stream().allMatch(each -> areEqual(each.getValue(), b.get(each.getKey())));
        }
        return one == null ? other == null : one.equals(other);
    }

    static BigDecimal decimal(Number number) {
        return number instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(number.longValue());
    }
}
