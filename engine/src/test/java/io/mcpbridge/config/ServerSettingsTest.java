package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ServerSettings.ProtocolChoice;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSettingsTest {

    @Test
    void absentKeysKeepTheirDefaults() {
        var server = server("{}");

        assertThat(server.name()).isEqualTo("github");
        assertThat(server.type()).isEqualTo("http");
        assertThat(server.enabled()).isTrue();
        assertThat(server.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(server.retry()).isEqualTo(new RetrySettings("", 2, Duration.ofSeconds(1), 2));
        assertThat(server.healthCheckUrl()).isEmpty();
        assertThat(server.trusted()).isFalse();
        assertThat(server.shared()).isTrue();
        assertThat(server.sessions()).isEqualTo(16);
        assertThat(server.startsEagerly()).isFalse();
        assertThat(server.schemes()).isEmpty();
        assertThat(server.listLimits()).isEqualTo(new ListLimits(1_000, 4 << 20, Duration.ZERO));
        assertThat(server.protocol()).isEqualTo(ProtocolChoice.AUTO);
        assertThat(server.discoveryTimeout()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void everyKeyIsRead() {
        var server = server("""
            {"type": "http", "enabled": false, "timeout": "60s", "retry": "safe", "max-retries": 5,
             "retry-delay": "200ms", "backoff-multiplier": 1.5, "health-check-url": "http://localhost/health",
             "trusted": true, "shared": false, "sessions": 64, "start": "eager", "protocol": "2026-07-28",
             "discovery-timeout": "200ms", "schemes": ["GIT:", "repo"], "extensions": ["vendor/x"], "list-items": 5, "list-bytes": "1KiB",
             "list-ttl": "5m"}\
            """);

        assertThat(server.enabled()).isFalse();
        assertThat(server.timeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(server.retry()).isEqualTo(new RetrySettings("safe", 5, Duration.ofMillis(200), 1.5));
        assertThat(server.healthCheckUrl()).contains(URI.create("http://localhost/health"));
        assertThat(server.trusted()).isTrue();
        assertThat(server.shared()).isFalse();
        assertThat(server.sessions()).isEqualTo(64);
        assertThat(server.startsEagerly()).isTrue();
        assertThat(server.schemes()).containsExactly("git", "repo");
        assertThat(server.extensions()).containsExactly("vendor/x");
        assertThat(server.listLimits()).isEqualTo(new ListLimits(5, 1_024, Duration.ofMinutes(5)));
        assertThat(server.protocol()).isEqualTo(ProtocolChoice.MODERN);
        assertThat(server.discoveryTimeout()).isEqualTo(Duration.ofMillis(200));
        assertThat(server.settings().unknownKeys()).isEmpty();
    }

    @Test
    void alternativeKeysAreRead() {
        var server = server("""
            {"timeoutMs": 500, "maxRetries": 0, "retryDelayMs": 10, "backoffMultiplier": 3,
             "healthCheckUrl": "https://localhost/health", "disabled": true}\
            """);

        assertThat(server.timeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(server.retry()).isEqualTo(new RetrySettings("", 0, Duration.ofMillis(10), 3));
        assertThat(server.healthCheckUrl()).contains(URI.create("https://localhost/health"));
        assertThat(server.enabled()).isFalse();
    }

    @Test
    void legacyTransportSkipsNegotiation() {
        var server = ServerSettings.of("old", "sse", Settings.of(Map.of()));

        assertThat(server.protocol()).isEqualTo(ProtocolChoice.LEGACY);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "enabled            | 1         | is 1 but must be true or false",
                "disabled           | 'no'      | is 'no' but must be true or false",
                "timeout            | 60        | is 60 but must be a time span such as 200ms, 5s, 2m or 1h",
                "timeout            | '0s'      | is '0s' but must be longer than zero",
                "timeoutMs          | 0         | is 0 but must be longer than zero",
                "timeoutMs          | 'x'       | is 'x' but must be a whole number of milliseconds",
                "retry              | 1         | is 1 but must be a text",
                "max-retries        | -1        | is -1 but must be between 0 and 100",
                "maxRetries         | 101       | is 101 but must be between 0 and 100",
                "max-retries        | 1.5       | is 1.5 but must be a whole number",
                "retry-delay        | 5         | is 5 but must be a time span such as 200ms, 5s, 2m or 1h",
                "retryDelayMs       | -5        | is -5 but must be 0 or more",
                "backoff-multiplier | 0.5       | is 0.5 but must be between 1 and 1000",
                "backoffMultiplier  | 1001      | is 1001 but must be between 1 and 1000",
                "backoffMultiplier  | 'x'       | is 'x' but must be a number",
                "health-check-url   | 'file:/x' | is 'file:/x' but must be an http or https URL",
                "healthCheckUrl     | 'http://' | is 'http://' but must be an http or https URL",
                "health-check-url   | 'u:geheim@a' | is '***@a' but must be an http or https URL",
                "health-check-url   | 'htp://u:geheim@a/?k=geheim' | is 'htp://***@a/?***' but must be an http or"
                        + " https URL",
                "trusted            | 'yes'     | is 'yes' but must be true or false",
                "shared             | 'yes'     | is 'yes' but must be true or false",
                "sessions           | 0         | is 0 but must be from 1 to 64",
                "sessions           | 65        | is 65 but must be from 1 to 64",
                "schemes            | ['1x:']  | is a list but must be URI schemes such as 'file:', and '1x:' is none",
                "extensions         | ['tools/call'] | is a list but must be methods that the specification does not define, and it defines 'tools/call'",
                "list-items         | 0         | is 0 but must be greater than zero",
                "list-bytes         | '0B'      | is '0B' but must be greater than zero",
                "list-ttl           | '10ms'    | is '10ms' but must be from 1s to 24h",
                "list-ttl           | '25h'     | is '25h' but must be from 1s to 24h",
                "start              | 'soon'    | is 'soon' but must be 'lazy' or 'eager'",
                "protocol           | 'modern'  | is 'modern' but must be 'auto', 'legacy' or '2026-07-28'",
                "discovery-timeout      | '0s'      | is '0s' but must be longer than zero"
            },
            quoteCharacter = '"')
    void wrongValueIsRejected(String key, String value, String rule) {
        var json = "{\"%s\": %s}".formatted(key, value.replace('\'', '"'));

        assertThat(Refused.problems(() -> server(json))).containsExactly("line 1: '%s' %s".formatted(key, rule));
    }

    @ParameterizedTest(name = "''{0}''")
    @ValueSource(strings = {"", "a.b", "a__b", "a_", "ä", "a b"})
    void serverNameThatCannotBeAPrefixIsRejected(String name) {
        assertThat(Refused.problems(() -> ServerSettings.of(name, "http", Settings.of(Map.of()))))
                .containsExactly(("the server name '%s' must be 1 to 64 letters, digits, '-' and '_', without '__'"
                                + " and with no '_' at the end")
                        .formatted(name));
    }

    @Test
    void longestNameHas64Characters() {
        var name = "n".repeat(64);

        assertThat(ServerSettings.of(name, "http", Settings.of(Map.of())).name())
                .isEqualTo(name);
        assertThat(Refused.problems(() -> ServerSettings.of(name + "n", "http", Settings.of(Map.of()))))
                .hasSize(1);
    }

    @Test
    void keysOfTheTransportAreLeftUnread() {
        var server = server("{\"url\": \"http://localhost\", \"colour\": \"red\"}");

        assertThat(server.settings().unknownKeys()).containsExactly("url", "colour");
    }

    private static ServerSettings server(String json) {
        return ServerSettings.of("github", "http", Settings.parse(json));
    }

    @Test
    void sectionsDifferByNameTypeOrValues() {
        var one = ServerSettings.of("one", "unix", Settings.of(Map.of("path", "/a")));

        assertThat(one.saysTheSameAs(ServerSettings.of("one", "unix", Settings.of(Map.of("path", "/a")))))
                .isTrue();
        assertThat(one.saysTheSameAs(ServerSettings.of("two", "unix", Settings.of(Map.of("path", "/a")))))
                .isFalse();
        assertThat(one.saysTheSameAs(ServerSettings.of("one", "http", Settings.of(Map.of("path", "/a")))))
                .isFalse();
        assertThat(one.saysTheSameAs(ServerSettings.of("one", "unix", Settings.of(Map.of("path", "/b")))))
                .isFalse();
    }
}
