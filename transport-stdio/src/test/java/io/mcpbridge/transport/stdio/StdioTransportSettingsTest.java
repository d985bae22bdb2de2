package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StdioTransportSettingsTest {

    @Test
    void absentKeysKeepTheirDefaults() {
        var settings = StdioTransportSettings.from(Settings.of(Map.of("command", "npx")));

        assertThat(settings).isEqualTo(StdioTransportSettings.of("npx", List.of()));
        assertThat(settings.stopTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.maxQueued()).isEqualTo(1024);
        assertThat(settings.maxQueuedBytes()).isEqualTo(16 << 20);
        assertThat(settings.cwd()).isEqualTo(Path.of(""));
    }

    @Test
    void everyKeyIsRead() {
        var section = Settings.parse("{\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"-y\", \"server\"],"
                + " \"env\": {\"TOKEN\": \"t\"}, \"cwd\": \"/srv\", \"stop-timeout\": \"200ms\","
                + " \"max-queued\": 2, \"max-queued-bytes\": 3}");

        assertThat(StdioTransportSettings.from(section))
                .isEqualTo(new StdioTransportSettings(
                        "npx",
                        List.of("-y", "server"),
                        Map.of("TOKEN", "t"),
                        Path.of("/srv"),
                        Duration.ofMillis(200),
                        2,
                        3,
                        SandboxSettings.DEFAULTS,
                        ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | 'command' is missing",
                "{\"command\": \"a\", \"sha256\": \"12\"} | 'sha256' is '12' but must be 64 hexadecimal digits",
                "{\"command\": \" \"} | 'command' is ' ' but must be the name of a program",
                "{\"command\": \"a\\u0000\"} | 'command' holds a NUL character but must not",
                "{\"command\": \"a\", \"args\": [\"b\", \"s3\\u0000\"]} | 'args' holds a NUL character in argument 2"
                        + " but must not",
                "{\"command\": \"a\", \"args\": \"b\"} | but must be a list of texts",
                "{\"command\": \"a\", \"env\": {\"PORT\": 5}} | but must be an object of texts; 'PORT' is 5",
                "{\"command\": \"a\", \"env\": {\"A=B\": \"\"}} | 'env' has the name 'A=B' but a name must be a text"
                        + " without '='",
                "{\"command\": \"a\", \"env\": {\"A\": \"s3\\u0000\"}} | 'env' holds a NUL character in the value of"
                        + " 'A' but must not",
                "{\"command\": \"a\", \"cwd\": \"\\u0000\"} | must be a path without NUL",
                "{\"command\": \"a\", \"cwd\": \"/no/such/folder\"} | 'cwd' is '/no/such/folder' but must be a folder"
                        + " that is there",
                "{\"command\": \"a\", \"cwd\": \"/dev/null\"} | 'cwd' is '/dev/null' but must be a folder that is"
                        + " there",
                "{\"command\": \"a\", \"stop-timeout\": \"soon\"} | must be a time span",
                "{\"command\": \"a\", \"max-queued\": 0} | 'max-queued' is 0 but must be at least 1",
                "{\"command\": \"a\", \"max-queued-bytes\": 0} | 'max-queued-bytes' is 0 but must be at least 1",
                "{\"command\": \"sh\", \"allow-shell\": true} | 'allow-shell' is not a key here",
                "{\"command\": \"a\", \"arg\": []} | 'arg'"
            })
    void mistakeIsRejectedAndNamed(String section, String problem) {
        assertThatThrownBy(() -> StdioTransportSettings.from(Settings.parse(section)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem)
                .hasMessageNotContaining("s3");
    }

    @Test
    void shellScriptInTheArgumentsIsUnchanged() {
        var section = Settings.parse("{\"command\": \"sh\", \"args\": [\"-c\", \"exec server\"]}");

        assertThat(StdioTransportSettings.from(section))
                .isEqualTo(StdioTransportSettings.of("sh", List.of("-c", "exec server")));
    }

    @Test
    void toStringShowsNeitherArgumentsNorVariables() {
        var settings = new StdioTransportSettings(
                "npx",
                List.of("s3cret"),
                Map.of("TOKEN", "s3cret"),
                Path.of(""),
                Duration.ZERO,
                1,
                1,
                SandboxSettings.DEFAULTS,
                "");

        assertThat(settings).hasToString("StdioTransportSettings[npx]");
    }
}
