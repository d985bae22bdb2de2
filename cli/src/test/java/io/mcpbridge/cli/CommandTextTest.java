package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Secret;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandTextTest {

    private static String line(List<String> words, String... secrets) {
        return new CheckCommand.CommandText(Stream.of(secrets).map(Secret::of).toList()).of(words);
    }

    @Test
    void wordsAreQuotedForTheShell() {
        assertThat(line(List.of("npx", "-y", "@scope/server@1.2"))).isEqualTo("npx -y @scope/server@1.2");
        assertThat(line(List.of("sh", "-c", "exec server; echo 'done'", "")))
                .isEqualTo("sh -c 'exec server; echo '\\''done'\\''' ''");
    }

    @Test
    void secretsOfTheConfigurationAreHidden() {
        assertThat(line(List.of("server", "--key", "abc", "abcd", "x-s3cret-y"), "abc", "s3cret", "s3cre"))
                .isEqualTo("server --key *** abcd x-***-y");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Authorization: Bearer abc.def | 'Authorization: Bearer ***'",
                "GITHUB_TOKEN=abc              | GITHUB_TOKEN=***",
                "--api-key=abc                 | --api-key=***",
                "PASSWORD='abc' exec server    | 'PASSWORD='\\''***'\\'' exec server'",
                "bearer abc                    | 'bearer ***'",
                "--tokenizer                   | --tokenizer"
            })
    void valuesAfterSecretLookingNamesAreHidden(String word, String shown) {
        assertThat(line(List.of("server", word))).isEqualTo("server " + shown);
    }
}
