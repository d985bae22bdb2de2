package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobPatternTest {

    @ParameterizedTest(name = "{0} matches {1}: {2}")
    @CsvSource({
        "get_*, get_issue, true",
        "get_*, get_, true",
        "get_*, forget_issue, false",
        "*_issue, get_issue, true",
        "*_issue, get_issues, false",
        "a*b*c, a-b-b-c, true",
        "a*b*c, a-c-b, false",
        "'*', '', true",
        "'', '', true",
        "'', a, false",
        "a**, a, true",
        "get_?, get_1, true",
        "get_?, get_12, false",
        "get_?, get_, false",
        "Get, get, false"
    })
    void patternMatches(String pattern, String name, boolean matches) {
        assertThat(GlobPattern.of(pattern).matches(name)).isEqualTo(matches);
    }

    @Test
    void questionMarkIsLiteralInStarPatterns() {
        assertThat(GlobPattern.ofStars("file:///a?b*").matches("file:///a?bc")).isTrue();
        assertThat(GlobPattern.ofStars("file:///a?b*").matches("file:///axbc")).isFalse();
    }

    @Test
    void manyStarsTakeQuadraticTimeAtMost() {
        long began = System.nanoTime();

        assertThat(GlobPattern.of("*a".repeat(500) + "b").matches("a".repeat(5_000)))
                .isFalse();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void toStringIsThePattern() {
        assertThat(GlobPattern.of("get_*")).hasToString("get_*");
    }
}
