package io.mcpbridge.transport.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.KnownSecrets;
import io.mcpbridge.spi.Secret;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutputRedactorTest {
    private final OutputRedactor sanitizer = new OutputRedactor(List.of("hunter22", "on"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "password is hunter22! | password is ***!",
                "API_KEY=abc next | API_KEY=*** next",
                "\"token\": \"abc\" | \"token\": ***",
                "Authorization: Bearer abc | Authorization: Bearer ***",
                "got ghp_16C7e42F292c6912E7710c838347Ae178B4a | got ***",
                "turned on | turned on",
                "Missing token in the environment | Missing token in the environment",
                "mcp-server-with-quite-a-long-name started | mcp-server-with-quite-a-long-name started"
            })
    void secretsAreRedacted(String written, String shown) {
        assertThat(beginning(written)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "correct horse?",
                "correct+horse%3F",
                "correct%20horse%3F",
                "Y29ycmVjdCBo\r\nb3JzZT8=",
                "Y29y cmVj dCBo b3Jz ZT8=",
                "63:6f:72:72:65:63:74:20:68:6f:72:73:65:3f",
                "63:6F:72:72:65:63:74:20:68:6F:72:73:65:3F",
                "636f7272656374 20686f7273653f",
                "Y29ycmVjdCBob3JzZT8=",
                "Y29ycmVjdCBob3JzZT8"
            })
    void encodedSecretsAreRedactedToo(String form) {
        var secret = new OutputRedactor(List.of("correct horse?"));

        assertThat(secret.beginning("at %s ".formatted(form).getBytes(UTF_8), 100))
                .startsWith("at ***")
                .doesNotContain("horse", "Y29y", "b3Jz", "72:73", "686f");
    }

    @Test
    void longWordWithDigitsIsNotASecret() {
        var written = "cannot open /srv/data/2026-11-26/customers-0001.sqlite3 of 6ba7b810-9dad-11d1-80b4-00c04fd430c8";

        assertThat(beginning(written)).isEqualTo(written);
    }

    @Test
    void terminalControlsAreMadeVisible() {
        assertThat(beginning("\u001b[31mred\u001b[0m \u202eevil")).isEqualTo("\\u{1b}[31mred\\u{1b}[0m \\u{202e}evil");
    }

    @Test
    void linesAreJoined() {
        assertThat(beginning("one\r\ntwo\nthree\n")).isEqualTo("one | two | three");
    }

    @Test
    void beginningAndEndAreTruncated() {
        assertThat(sanitizer.beginning("abcdef".getBytes(UTF_8), 3)).isEqualTo("abc...");
        assertThat(sanitizer.ending("abcdef".getBytes(UTF_8), 3)).isEqualTo("...def");
        assertThat(sanitizer.ending("abc".getBytes(UTF_8), 3)).isEqualTo("abc");
    }

    @Test
    void truncationLeavesNoPartOfASecret() {
        assertThat(sanitizer.beginning("x hunter22".getBytes(UTF_8), 6)).isEqualTo("x ***");
    }

    @Test
    void secretsOfTheConfigurationAreRedactedToo() {
        var known = new KnownSecrets();
        known.learn(List.of(Secret.of("of-the-arguments")));
        var both = OutputRedactor.of(List.of("of-the-environment"), known);

        assertThat(both.beginning("of-the-arguments, of-the-environment".getBytes(UTF_8), 200))
                .isEqualTo("***, ***");
    }

    @Test
    void secretThatStartsWithAnotherIsRedactedWhole() {
        var both = new OutputRedactor(List.of("hunter22", "hunter22-of-bob"));

        assertThat(both.beginning("it is hunter22-of-bob".getBytes(UTF_8), 200)).isEqualTo("it is ***");
    }

    private String beginning(String written) {
        return sanitizer.beginning(written.getBytes(UTF_8), 200);
    }
}
