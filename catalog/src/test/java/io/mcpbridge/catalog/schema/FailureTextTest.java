package io.mcpbridge.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaException;
import io.mcpbridge.catalog.schema.BudgetedCheck.BudgetExceededException;
import io.mcpbridge.catalog.schema.JsonSchemaCheckProvider.FailureText;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;

class FailureTextTest {
    @Test
    void exceededBudgetIsReportedFromAnyWrapper() {
        var wrapped = new SchemaException(
                new IllegalStateException(new BudgetExceededException("an 'enum' has 10,001 values")));

        assertThat(FailureText.of(wrapped)).isEqualTo("an 'enum' has 10,001 values");
    }

    @Test
    void patternIsQuotedAsWritten() {
        var wrapped = new IllegalStateException(new PatternSyntaxException("a '[' is not closed", "^[a-z$", 5));

        assertThat(FailureText.of(wrapped)).isEqualTo("the pattern '^[a-z$' cannot be read: a '[' is not closed");
    }

    @Test
    void classNamesAreOmitted() {
        assertThat(FailureText.of(new IllegalStateException(new IllegalArgumentException("it is no number"))))
                .isEqualTo("it is no number");
        assertThat(FailureText.of(new IllegalStateException(new IllegalArgumentException())))
                .isEqualTo("no reason is known");
        assertThat(FailureText.of(new IllegalStateException())).isEqualTo("no reason is known");
    }
}
