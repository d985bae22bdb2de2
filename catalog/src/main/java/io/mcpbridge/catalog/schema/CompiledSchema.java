package io.mcpbridge.catalog.schema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.ValidationLimitExceededException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaIssue;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * One schema that is ready to be checked against. What cannot be checked within the {@link Budgets} does not fit. Any
 * thread.
 *
 * @param patterns its regular expressions
 */
record CompiledSchema(Schema schema, BoundedPatterns patterns) implements SchemaCheck {

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
        patterns.begin();
        try {
            return issues(schema, value);
        } finally {
            patterns.end();
        }
    }

    private List<SchemaIssue> bounded(JsonNode value) {
        patterns.begin();
        try {
            return issues(schema, value);
        } catch (ValidationLimitExceededException limit) {
            return costly(Budgets.exceeded(limit).words());
        } catch (TooCostlyException limit) {
            return costly(limit.words());
        } catch (SchemaException unfit) {
            return List.of(new SchemaIssue("", "cannot be checked: " + unfit.getMessage()));
        } catch (StackOverflowError tooDeep) {
            return costly("its rules or patterns lie too deep within each other");
        } finally {
            patterns.end();
        }
    }

    private static List<SchemaIssue> costly(String why) {
        return List.of(new SchemaIssue("", "cannot be checked, since the schema costs too much: " + why));
    }

    private static List<SchemaIssue> issues(Schema schema, JsonNode value) {
        return schema.validate(value).stream().map(CompiledSchema::issue).toList();
    }

    private static SchemaIssue issue(Error error) {
        return new SchemaIssue(error.getInstanceLocation().toString(), error.getMessage());
    }
}
