package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MistakeCollectorTest {

    @Test
    void allMistakesAreReportedTogether() {
        var refusals = new MistakeCollector()
                .unless(false, "max", 0, "at least 1")
                .unless(true, "queue", 1, "at least 0")
                .unless(false, "window", Duration.ofMillis(10), "at least 1s")
                .add("'args' holds a NUL character but must not");

        assertThatThrownBy(refusals::throwIfAny)
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        wrong -> assertThat(wrong.problems())
                                .containsExactly(
                                        "'max' is 0 but must be at least 1",
                                        "'window' is 10ms but must be at least 1s",
                                        "'args' holds a NUL character but must not"));
    }

    @Test
    void nothingIsThrownWithoutMistakes() {
        assertThatCode(new MistakeCollector().unless(true, "max", 1, "at least 1")::throwIfAny)
                .doesNotThrowAnyException();
    }

    @Test
    void userInfoOfAUrlIsHidden() {
        var refusals =
                new MistakeCollector().unless(false, "url", URI.create("http://u:geheim@a.example/"), "without user");

        assertThatThrownBy(refusals::throwIfAny)
                .hasMessage("'url' is 'http://***@a.example/' but must be without user");
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "PT0S, 0s",
        "PT0.2S, 200ms",
        "PT-0.001S, -1ms",
        "PT0.0000001S, 100ns",
        "PT1S, 1s",
        "PT60S, 60s",
        "PT90S, 90s",
        "PT100S, 100s",
        "PT2M, 2m",
        "PT24H, 24h"
    })
    void durationIsShownAsConfigured(Duration span, String shown) {
        assertThat(MistakeCollector.shown(span)).isEqualTo(shown);
    }
}
