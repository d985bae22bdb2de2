package io.mcpbridge.catalog.schema;

import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.ValidationLimitExceededException.LimitKind;
import java.util.Locale;

/**
 * How much a schema may cost, whoever wrote it. Counted and not timed, so that a check ends the same way on every
 * machine.
 */
final class Budgets {
    /** The characters of a schema. */
    static final int SCHEMA_CHARACTERS = 1 << 20;

    /** How deep a schema may be nested. */
    static final int SCHEMA_DEPTH = 100;

    /** How deep a value may be nested. */
    static final int VALUE_DEPTH = 500;

    /** How many rules may be looked at in one check, each for as often as it is. */
    static final long STEPS = 200_000;

    /** The same for the check of a schema against the schema of schemas. */
    static final long SCHEMA_STEPS = 2_000_000;

    /** How many rules may lie within each other, by references too. */
    static final int DEPTH = 500;

    /** How many characters the patterns of one check may look at. */
    static final long CHARACTERS = 2_000_000;

    /** How many values, names and parts of texts the rules of one check may look at, each as often as it is. */
    static final long WORK = 20_000_000;

    /** How many mistakes one check may find; with more the value is not one of the schema's by far. */
    static final int MISTAKES = 100_000;

    /** How many values an {@code enum} may have. */
    static final int CHOICES = 10_000;

    private Budgets() {}

    /** What holds for a check of at most so many steps. */
    static ExecutionConfig limiting(long steps) {
        return ExecutionConfig.builder()
                .locale(Locale.ROOT)
                .maxEvaluationSteps(steps)
                .maxEvaluationDepth(DEPTH)
                .build();
    }

    /** What was too much, in words. */
    static TooCostlyException exceeded(ValidationLimitExceededException limit) {
        var words = limit.getLimitKind() == LimitKind.EVALUATION_DEPTH
                ? "more than %,d of its rules lie within each other"
                : "more than %,d of its rules would have to be looked at";
        return new TooCostlyException(words.formatted(limit.getLimit()));
    }
}
