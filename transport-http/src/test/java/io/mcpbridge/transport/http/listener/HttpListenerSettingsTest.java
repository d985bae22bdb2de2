package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HttpListenerSettingsTest {

    @Test
    void emptySectionHasTheDefaults() {
        var settings = HttpListenerSettings.from(Settings.of(Map.of()));

        assertThat(settings).isEqualTo(HttpListenerSettings.DEFAULTS);
        assertThat(settings.host()).isEqualTo("127.0.0.1");
        assertThat(settings.port()).isEqualTo(7450);
        assertThat(settings.path()).isEqualTo("/mcp");
        assertThat(settings.limits().maxBodyBytes()).isEqualTo(4 << 20);
        assertThat(settings.limits().headDeadline()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.limits().requestDeadline()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.limits().keepAlive()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.limits().connections()).isEqualTo(8192);
    }

    @Test
    void everyKeyIsRead() {
        var settings = HttpListenerSettings.from(Settings.parse("""
            {"host": "::1", "port": 1, "path": "/x", "allowed-origins": ["https://a.example"],
             "allowed-hosts": ["b.example:1"], "tokens": {"alice": "0123456789abcdef"},
             "max-body-bytes": 2, "max-head-bytes": 3, "max-headers": 4, "head-deadline": "5s",
             "request-deadline": "6s", "keep-alive": "7s", "write-deadline": "8s", "comment-interval": "9s",
             "connections": 10, "sse": false, "max-queued-bytes": 11, "max-replay-bytes": 12}
            """));

        assertThat(settings)
                .isEqualTo(new HttpListenerSettings(
                        "::1",
                        1,
                        "/x",
                        List.of("https://a.example"),
                        List.of("b.example:1"),
                        Map.of("alice", Secret.of("0123456789abcdef")),
                        false,
                        new HttpListenerLimits(
                                2,
                                3,
                                4,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(6),
                                Duration.ofSeconds(7),
                                Duration.ofSeconds(8),
                                Duration.ofSeconds(9),
                                10,
                                11,
                                12)));
        assertThat(settings.toString()).doesNotContain("0123456789abcdef");
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of("{\"host\": \" \"}", "'host' is ' ' but must be an address such as 127.0.0.1"),
                Arguments.of("{\"port\": 65536}", "'port' is 65536 but must be between 0 and 65535"),
                Arguments.of("{\"port\": -1}", "'port' is -1 but must be between 0 and 65535"),
                Arguments.of("{\"path\": \"mcp\"}", "'path' is 'mcp' but must be a path such as /mcp"),
                Arguments.of("{\"allowed-origins\": [\"*\"]}", "'allowed-origins' is '*' but must be an origin"),
                Arguments.of("{\"allowed-hosts\": [\"a/b\"]}", "'allowed-hosts' is 'a/b' but must be a name"),
                Arguments.of("{\"tokens\": {\"a\": \"short\"}}", "the token of 'a' must be at least 16 visible"),
                Arguments.of("{\"max-body-bytes\": 0}", "'max-body-bytes' is 0 but must be at least 1"),
                Arguments.of("{\"head-deadline\": \"0s\"}", "'head-deadline' is 0s but must be 1ms or longer"),
                Arguments.of("{\"prot\": 1}", "did you mean 'port'"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void invalidValueIsRejectedWithItsRule(String json, String message) {
        assertThatThrownBy(() -> HttpListenerSettings.from(Settings.parse(json)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("short\"");
    }

    @Test
    void providerIsFoundByItsName() {
        assertThat(ServiceLoader.load(ListenerProvider.class))
                .extracting(ListenerProvider::name)
                .contains("http");
    }
}
