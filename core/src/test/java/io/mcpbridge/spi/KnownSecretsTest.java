package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownSecretsTest {
    private final KnownSecrets secrets = new KnownSecrets();

    @Test
    void learntSecretIsKnownOnce() {
        secrets.learn(List.of(Secret.of("the first one"), Secret.of("the second one")));
        secrets.learn(List.of(Secret.of("the second one")));

        assertThat(secrets.texts()).containsExactly("the second one", "the first one");
        assertThat(secrets).hasToString("2 secrets");
    }

    @Test
    void shortTextsAreNotStored() {
        secrets.learn(List.of(Secret.of("8080"), Secret.of("1234567")));

        assertThat(secrets.texts()).isEmpty();
    }

    @Test
    void atMostAThousandSecretsAreKept() {
        secrets.learn(IntStream.range(0, 2_000)
                .mapToObj(each -> Secret.of("secret number " + each))
                .toList());

        assertThat(secrets.texts()).hasSize(1_000).contains("secret number 0");
    }

    @Test
    void newestSecretsAreKept() {
        secrets.learn(IntStream.range(0, 1_000)
                .mapToObj(each -> Secret.of("secret number " + each))
                .toList());

        secrets.learn(List.of(Secret.of("the newest one")));

        assertThat(secrets.texts()).hasSize(1_000).contains("the newest one").doesNotContain("secret number 999");
    }
}
