package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of a configuration must not be written down although it stands there as it is. */
class LiteralSecretsTest {

    @Test
    void tokensOfListenersAreSecret() {
        assertThat(bridge("\"listen\": {\"http\": {\"tokens\": {\"alice\": \"wonderland-is-mine-1234567890\"}}}"))
                .containsExactly("wonderland-is-mine-1234567890");
    }

    @Test
    void headerValuesAreSecretWithoutTheirScheme() {
        assertThat(server("""
            "url": "https://host.example/mcp", "headers": {"Authorization": "Bearer abcdefgh", "X-Team": "team-token",
            "Accept-Language": "en-GB,en", "X-Filled": "${env:FILLED}"}
            """)).containsExactlyInAnyOrder("filled-in", "abcdefgh", "team-token");
    }

    @Test
    void variablesWithSecretLookingNamesAreSecret() {
        assertThat(server("""
            "command": "x", "env": {"GITHUB_TOKEN": "literal-token", "OPENAI_API_KEY": "literal-key", "DB_PASSWORD": "literal-word",
            "LANGUAGE": "not-secret", "KEYBOARD": "not-secret", "KEY_FILE": "/not/secret"}
            """)).containsExactlyInAnyOrder("literal-token", "literal-key", "literal-word");
    }

    @Test
    void userInfoAndSecretQueryParametersOfUrlsAreSecret() {
        assertThat(server("\"url\": \"https://bob:horse-battery@host.example/mcp?api_key=parameter1&page=12345678\""))
                .containsExactlyInAnyOrder("horse-battery", "parameter1");
        assertThat(server("\"url\": \"https://lonely-token@host.example/mcp\"")).containsExactly("lonely-token");
    }

    @Test
    void secretArgumentsOfCommandsAreSecret() {
        assertThat(server("\"command\": \"x\", \"args\": [\"--token\", \"behind-it\", \"--api-key=within-it\","
                        + " \"plain\"]"))
                .containsExactlyInAnyOrder("behind-it", "within-it");
    }

    private static List<String> server(String members) {
        return secrets("{\"mcpServers\": {\"one\": {%s}}}".formatted(members));
    }

    private static List<String> bridge(String members) {
        return secrets("{\"bridge\": {%s}}".formatted(members));
    }

    private static List<String> secrets(String json) {
        return BridgeConfiguration.parse(json, Path.of("."), Map.of("FILLED", "filled-in")).secrets().stream()
                .map(Secret::reveal)
                .toList();
    }
}
