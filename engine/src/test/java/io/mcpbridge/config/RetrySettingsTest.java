package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetrySettingsTest {

    @Test
    void valuesSetInCodeAreValidatedToo() {
        assertThat(Refused.problems(() -> new RetrySettings("", -1, Duration.ZERO, 2)))
                .containsExactly("'max-retries' is -1 but must be between 0 and 100");
        assertThat(Refused.problems(() -> new RetrySettings("", 1, Duration.ofMillis(-1), 2)))
                .containsExactly("'retry-delay' is -1ms but must be zero or longer");
        assertThat(Refused.problems(() -> new RetrySettings("", 1, Duration.ZERO, Double.NaN)))
                .containsExactly("'backoff-multiplier' is NaN but must be between 1 and 1000");
    }
}
