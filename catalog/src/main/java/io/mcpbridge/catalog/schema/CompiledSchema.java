package io.mcpbridge.catalog.schema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.ValidationLimitExceededException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaIssue;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * One schema that is ready to be checked against. What cannot be checked within the {@link Budgets} does not fit. Any
 * thread.
 *
 * @param allowances what its rules and patterns pay with
 */
record CompiledSchema(Schema schema, Allowances allowances) implements SchemaCheck {
    /** Messages quote the rule, which can be long; what is wrong beyond these is told without. */
    private static final int MOST_MESSAGES = 100;

    @Override
    public List<SchemaIssue> issues(String json) {
        JsonNode value;
        try {
            value = ExactNumbers.valueReader().readTree(json);
        } catch (JacksonException | NumberFormatException unreadable) {
            return List.of(new SchemaIssue("", "cannot be read: " + unreadable.getMessage()));
        }
        var unbounded = ExactNumbers.issues(value);
        return unbounded.isEmpty() ? bounded(value) : unbounded;
    }

    /** What is wrong with a schema, of which this is the schema; throws what a limit throws. */
    List<SchemaIssue> issuesOrLimit(JsonNode value) {
        allowances.begin();
        try {
            return issues(schema, value);
        } finally {
            allowances.end();
        }
    }

    private List<SchemaIssue> bounded(JsonNode value) {
        allowances.begin();
        try {
            return issues(schema, value);
        } catch (ValidationLimitExceededException limit) {
            return costly(Budgets.exceeded(limit).words());
        } catch (TooCostlyException limit) {
            return costly(limit.words());
        } catch (SchemaException unfit) {
            return List.of(new SchemaIssue("", "cannot be checked: " + Reasons.of(unfit)));
        } catch (StackOverflowError tooDeep) {
            return costly("its rules or patterns lie too deep within each other");
        } catch (OutOfMemoryError full) {
            return costly("there is not memory enough");
        } catch (RuntimeException defect) {
            // The library and what it checks with each have exceptions of their own.
            return List.of(new SchemaIssue("", "cannot be checked: " + Reasons.of(defect)));
        } finally {
            allowances.end();
        }
    }

    private static List<SchemaIssue> costly(String why) {
        return List.of(new SchemaIssue("", "cannot be checked, since the schema costs too much: " + why));
    }

    private static List<SchemaIssue> issues(Schema schema, JsonNode value) {
        var errors = schema.validate(value);
        var told = errors.stream().limit(MOST_MESSAGES).map(CompiledSchema::issue);
        return Stream.concat(told, errors.stream().skip(MOST_MESSAGES).map(CompiledSchema::brief))
                .toList();
    }

    private static SchemaIssue issue(Error error) {
        return new SchemaIssue(error.getInstanceLocation().toString(), error.getMessage());
    }

    private static SchemaIssue brief(Error error) {
        return new SchemaIssue(error.getInstanceLocation().toString(), "breaks '%s'".formatted(error.getKeyword()));
    }
}
