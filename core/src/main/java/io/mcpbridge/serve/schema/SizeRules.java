package io.mcpbridge.serve.schema;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rules about how large a number is, how long a text, how many elements. */
final class SizeRules {

    private SizeRules() {}

    static Rule minimum(BigDecimal bound) {
        return number(value -> value.compareTo(bound) >= 0, "must be at least " + bound.toPlainString());
    }

    static Rule maximum(BigDecimal bound) {
        return number(value -> value.compareTo(bound) <= 0, "must be at most " + bound.toPlainString());
    }

    static Rule above(BigDecimal bound) {
        return number(value -> value.compareTo(bound) > 0, "must be more than " + bound.toPlainString());
    }

    static Rule below(BigDecimal bound) {
        return number(value -> value.compareTo(bound) < 0, "must be less than " + bound.toPlainString());
    }

    private static Rule number(Function<BigDecimal, Boolean> test, String message) {
        return Rule.of(value -> !(value instanceof Number number) || test.apply(Kinds.decimal(number)), message);
    }

    static Rule longText(long least) {
        return Rule.of(
                value -> size(value, String.class, least) >= least,
                "must have at least %d characters".formatted(least));
    }

    static Rule shortText(long most) {
        return Rule.of(
                value -> size(value, String.class, most) <= most, "must have at most %d characters".formatted(most));
    }

    static Rule longList(long least) {
        return Rule.of(
                value -> size(value, List.class, least) >= least, "must have at least %d elements".formatted(least));
    }

    static Rule shortList(long most) {
        return Rule.of(value -> size(value, List.class, most) <= most, "must have at most %d elements".formatted(most));
    }

    static Rule manyMembers(long least) {
        return Rule.of(
                value -> size(value, Map.class, least) >= least, "must have at least %d members".formatted(least));
    }

    static Rule fewMembers(long most) {
        return Rule.of(value -> size(value, Map.class, most) <= most, "must have at most %d members".formatted(most));
    }

    /** The size of a value of this type; of any other what fits. */
    private static long size(@Nullable Object value, Class<?> type, long otherwise) {
        if (!type.isInstance(value)) {
            return otherwise;
        }
        if (value instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        return value instanceof List<?> list ? list.size() : ((Map<?, ?>) value).size();
    }
}
