package io.mcpbridge.workflow;

import io.mcpbridge.message.CanonicalJson;
import io.mcpbridge.spi.Nearest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a step. A value holds unless it is false, null or missing; {@code {equals: [a, b]}}, {@code {not: c}},
 * {@code {all: […]}} and {@code {any: […]}} combine values and conditions. Immutable.
 */
record Condition(@Nullable Object tree) {
    private static final Set<String> OPERATORS = Set.of("equals", "not", "all", "any");

    /** Reports what is wrong, in the form that completes a sentence about {@code when}. */
    void check(Consumer<String> mistakes) {
        check(tree, mistakes);
    }

    private static void check(@Nullable Object condition, Consumer<String> mistakes) {
        if (!(condition instanceof Map<?, ?> operation)) {
            if (!(condition instanceof Boolean) && References.path(condition).isEmpty()) {
                mistakes.accept("'when' has '%s' but must have a reference, true, false, or one of %s"
                        .formatted(condition, OPERATORS.stream().sorted().toList()));
            }
            return;
        }
        if (operation.size() != 1) {
            mistakes.accept("'when' must have one operator, but has %s".formatted(operation.keySet()));
            return;
        }
        operation.forEach((operator, operand) -> check(String.valueOf(operator), operand, mistakes));
    }

    private static void check(String operator, @Nullable Object operand, Consumer<String> mistakes) {
        if (!OPERATORS.contains(operator)) {
            mistakes.accept("'when' has the operator '%s'; %sthere are %s"
                    .formatted(
                            operator,
                            Nearest.question(operator, OPERATORS),
                            OPERATORS.stream().sorted().toList()));
        } else if (operator.equals("not")) {
            check(operand, mistakes);
        } else if (!(operand instanceof List<?> operands)) {
            mistakes.accept("'when' has '%s' with '%s' but must have a list".formatted(operator, operand));
        } else if (!operator.equals("equals")) {
            operands.forEach(each -> check(each, mistakes));
        } else if (operands.size() != 2) {
            mistakes.accept("'when' has 'equals' with %d values but must have 2".formatted(operands.size()));
        }
    }

    boolean holds(Map<String, ?> scope) {
        return holds(tree, scope);
    }

    private static boolean holds(@Nullable Object condition, Map<String, ?> scope) {
        if (!(condition instanceof Map<?, ?> operation)) {
            var value = References.resolveOrNull(condition, scope);
            return value != null && !Boolean.FALSE.equals(value);
        }
        var operator = operation.entrySet().iterator().next();
        var operands = operator.getValue() instanceof List<?> list ? list : List.of();
        return switch (String.valueOf(operator.getKey())) {
            case "not" -> !holds(operator.getValue(), scope);
            case "all" -> operands.stream().allMatch(each -> holds(each, scope));
            case "any" -> operands.stream().anyMatch(each -> holds(each, scope));
            default -> text(operands.get(0), scope).equals(text(operands.get(1), scope));
        };
    }

    /** Equal for numbers that JSON does not tell apart, such as 1 and 1.0. */
    private static String text(@Nullable Object value, Map<String, ?> scope) {
        return CanonicalJson.EXACT.write(References.resolveOrNull(value, scope));
    }
}
