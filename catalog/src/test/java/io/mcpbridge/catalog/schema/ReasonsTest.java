package io.mcpbridge.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaException;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;

class ReasonsTest {
    @Test
    void whatCostsTooMuchIsToldInItsWordsHoweverItIsWrapped() {
        var wrapped =
                new SchemaException(new IllegalStateException(new TooCostlyException("an 'enum' has 10,001 values")));

        assertThat(Reasons.of(wrapped)).isEqualTo("an 'enum' has 10,001 values");
    }

    @Test
    void aPatternIsQuotedAsItWasWritten() {
        var wrapped = new IllegalStateException(new PatternSyntaxException("a '[' is not closed", "^[a-z$", 5));

        assertThat(Reasons.of(wrapped)).isEqualTo("the pattern '^[a-z$' cannot be read: a '[' is not closed");
    }

    @Test
    void namesOfClassesAreLeftOut() {
        assertThat(Reasons.of(new IllegalStateException(new IllegalArgumentException("it is no number"))))
                .isEqualTo("it is no number");
        assertThat(Reasons.of(new IllegalStateException(new IllegalArgumentException())))
                .isEqualTo("no reason is known");
        assertThat(Reasons.of(new IllegalStateException())).isEqualTo("no reason is known");
    }
}
