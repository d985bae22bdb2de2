package io.mcpbridge.transport.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HttpTransportSettingsTest {

    @Test
    void urlAloneHasTheDefaults() {
        var settings = HttpTransportSettings.from(Settings.parse("{\"url\": \"https://a.example/mcp\"}"));

        assertThat(settings).isEqualTo(HttpTransportSettings.of(URI.create("https://a.example/mcp")));
        assertThat(settings.headers()).isEmpty();
        assertThat(settings.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.keepAlive()).isEqualTo(Duration.ofSeconds(4));
        assertThat(settings.reconnectDelay()).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.streamTimeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.connections()).isEqualTo(128);
    }

    @Test
    void everyKeyIsRead() {
        var settings = HttpTransportSettings.from(Settings.parse("""
            {"url": "http://a.example:1/x?y", "headers": {"Authorization": "Bearer secret"},
             "connect-timeout": "1s", "keep-alive": "2s", "reconnect-delay": "3s", "stream-timeout": "4s",
             "connections": 5}
            """));

        assertThat(settings)
                .isEqualTo(new HttpTransportSettings(
                        URI.create("http://a.example:1/x?y"),
                        Map.of("Authorization", Secret.of("Bearer secret")),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        5));
        assertThat(settings.toString()).doesNotContain("Bearer secret");
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of("{}", "'url' is missing"),
                Arguments.of("{\"url\": \"ftp://a.example\"}", "'url' is 'ftp://a.example' but must be a URL such as"),
                Arguments.of("{\"url\": \"a b\"}", "'url' is 'a b' but must be a URL such as"),
                Arguments.of("{\"url\": \"http://\"}", "'url' is 'http://' but must be a URL such as"),
                Arguments.of("{\"url\": \"http://u:geheim@a.example/\"}", "must be without user and password"),
                Arguments.of("{\"url\": \"http://u:geheim@a b/\"}", "'url' is 'http://***@a b/' but must be a URL"),
                Arguments.of("{\"url\": \"htp://a.example/?geheim\"}", "'url' is 'htp://a.example/?***' but must be"),
                Arguments.of("{\"url\": \"http://a.example/#x\"}", "must be without a fragment"),
                with("\"headers\": {\"a b\": \"x\"}", "'headers' is 'a b' but must be named by letters"),
                with("\"headers\": {\"Host\": \"x\"}", "header 'Host' is set by the bridge itself"),
                with("\"headers\": {\"A\": \"geheim\\n\"}", "the value of header 'A' must be printable ASCII"),
                with("\"connect-timeout\": \"0s\"", "'connect-timeout' is 0s but must be longer than zero"),
                with("\"connections\": 0", "'connections' is 0 but must be at least 1"),
                with("\"keepalive\": \"1s\"", "did you mean 'keep-alive'"));
    }

    private static Arguments with(String member, String message) {
        return Arguments.of("{\"url\": \"http://a.example/\", " + member + "}", message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void invalidValueIsRejectedWithItsRule(String json, String message) {
        assertThatThrownBy(() -> HttpTransportSettings.from(Settings.parse(json)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("geheim");
    }

    @Test
    void providerIsFoundByItsName() {
        assertThat(ServiceLoader.load(TransportProvider.class))
                .filteredOn(provider -> provider.name().equals("http"))
                .singleElement()
                .satisfies(provider -> assertThat(provider.schemes()).containsExactlyInAnyOrder("http", "https"));
    }
}
