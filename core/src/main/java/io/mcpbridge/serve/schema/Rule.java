package io.mcpbridge.serve.schema;

import io.mcpbridge.spi.SchemaIssue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One rule of a schema; values are plain ones. Immutable. */
interface Rule {

    /** Adds what is wrong with the value at this path. */
    void check(@Nullable Object value, String path, List<SchemaIssue> issues);

    /** A rule of one test. */
    static Rule of(Test test, String message) {
        return (value, path, issues) -> {
            if (!test.passes(value)) {
                issues.add(new SchemaIssue(path, message));
            }
        };
    }

    /** Whether a value keeps a rule. */
    interface Test {
        boolean passes(@Nullable Object value);
    }
}
