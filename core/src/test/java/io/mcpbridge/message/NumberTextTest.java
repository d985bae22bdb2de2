package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What peers write as numbers is read as far as it is one, and costs next to nothing where it is none. */
@Timeout(value = 5, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NumberTextTest {
    private static final String MEGABYTE = "9".repeat(1 << 20);

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"0", "-7", "1.5", "1e3", "1E-3"})
    void numberIsRead(String text) {
        assertThat(NumberText.read(text)).contains(new BigDecimal(text));
    }

    @ParameterizedTest(name = "''{0}''")
    @ValueSource(strings = {"", "\"7\"", "true", "{}", "1e99999999999"})
    void nonNumberIsNotRead(String text) {
        assertThat(NumberText.read(text)).isEmpty();
    }

    @Test
    void numberMayHaveUpTo64Characters() {
        assertThat(NumberText.read("1".repeat(64))).isPresent();
        assertThat(NumberText.read("1".repeat(65))).isEmpty();
    }

    @Test
    void megabyteOfDigitsIsNotRead() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(NumberText.read(MEGABYTE)).isEmpty();
            assertThat(NumberText.readInt(MEGABYTE)).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({"-32603, -32603", "1.0, 1", "1e3, 1000", "2147483648,", "1.5,", "1e999999999,", "1e-999999999,"})
    void wholeNumberIsReadInAnyNotation(String text, Integer number) {
        assertThat(NumberText.readInt(text).orElse(null)).isEqualTo(number);
    }
}
