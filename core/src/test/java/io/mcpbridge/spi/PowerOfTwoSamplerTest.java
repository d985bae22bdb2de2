package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PowerOfTwoSamplerTest {
    private final PowerOfTwoSampler occurrences = new PowerOfTwoSampler();

    @Test
    void powersOfTwoAreReported() {
        var told = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> occurrences.count("a"))
                .flatMapToLong(count -> count.stream())
                .toArray();

        assertThat(told).containsExactly(1, 2, 4, 8, 16);
    }

    @Test
    void kindsAreCountedSeparately() {
        IntStream.range(0, 5).forEach(i -> occurrences.count("frequent"));

        assertThat(occurrences.count("rare")).hasValue(1);
    }

    @Test
    void kindsBeyondTheLimitAreCountedTogether() {
        var told = IntStream.range(0, 10_000)
                .filter(i -> occurrences.count("kind " + i).isPresent())
                .count();

        assertThat(told).isBetween(1_024L, 1_024L + 15);
        assertThat(occurrences.count("kind 7")).hasValue(2);
    }
}
