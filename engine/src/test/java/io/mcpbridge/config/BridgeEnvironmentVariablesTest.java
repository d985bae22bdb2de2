package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BridgeEnvironmentVariablesTest {

    @Test
    void timeoutDefaultsToThirtySeconds() {
        assertThat(BridgeEnvironmentVariables.of(Map.of()).timeout()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void alternativeVariableIsUsedIfTheFirstIsUnset() {
        var variables = BridgeEnvironmentVariables.of(Map.of("COLIBRI_MCP_TIMEOUT", "1500"));

        assertThat(variables.timeout()).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void firstVariablePrecedesTheAlternative() {
        var variables =
                BridgeEnvironmentVariables.of(Map.of("MCP_BRIDGE_TIMEOUT", "200", "COLIBRI_MCP_TIMEOUT", "not read"));

        assertThat(variables.timeout()).isEqualTo(Duration.ofMillis(200));
    }

    @ParameterizedTest(name = "''{0}''")
    @ValueSource(strings = {"", "0", "-5", "1.5", "1e3", "30s", " 30", "soon", "99999999999999999999"})
    void malformedTimeoutIsQuoted(String value) {
        var variables = BridgeEnvironmentVariables.of(Map.of("MCP_BRIDGE_TIMEOUT", value));

        assertThat(Refused.problems(variables::timeout))
                .containsExactly(
                        "the variable 'MCP_BRIDGE_TIMEOUT' is '%s' but must be a positive whole number of milliseconds, such as 30000"
                                .formatted(value));
    }

    @Test
    void startupTimeoutHasItsOwnVariables() {
        assertThat(BridgeEnvironmentVariables.of(Map.of()).startupTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(BridgeEnvironmentVariables.of(Map.of("COLIBRI_STARTUP_TIMEOUT_MS", "7"))
                        .startupTimeout())
                .isEqualTo(Duration.ofMillis(7));
    }

    @Test
    void modeIsReadByEitherName() {
        assertThat(BridgeEnvironmentVariables.of(Map.of("COLIBRI_MODE", "TEST")).mode())
                .contains("TEST");
        assertThat(BridgeEnvironmentVariables.of(Map.of()).mode()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "AMS_TIMEOUT, MCP_BRIDGE_TIMEOUT",
        "AMS_MCP_TIMEOUT, MCP_BRIDGE_TIMEOUT",
        "AMS_MODE, MCP_BRIDGE_MODE",
        "AMS_STARTUP_TIMEOUT_MS, MCP_BRIDGE_STARTUP_TIMEOUT_MS",
        "AMS_SOCKET, MCP_BRIDGE_SOCKET",
        "AMS_CLIENT_ID, MCP_CLIENT_ID"
    })
    void legacyVariableIsRejectedWithItsReplacement(String legacy, String right) {
        assertThat(Refused.problems(() -> BridgeEnvironmentVariables.of(Map.of(legacy, "x"))))
                .containsExactly("legacy %s: set '%s' instead".formatted(legacy, right));
    }

    @Test
    void legacyVariableWithoutReplacementIsRejected() {
        assertThat(Refused.problems(() -> BridgeEnvironmentVariables.of(Map.of("AMS_HOME", "x"))))
                .containsExactly("legacy AMS_HOME: the bridge has no such variable; remove it");
    }

    @Test
    void endpointsAreNamedInLowerCaseWithDashes() {
        var variables = BridgeEnvironmentVariables.of(Map.of(
                "MCP_GITHUB_ENDPOINT", "http://one", "MCP_MY_TOOLS_ENDPOINT", "http://two", "MCP_BRIDGE_TIMEOUT", "5"));

        assertThat(variables.endpoints())
                .containsExactlyInAnyOrderEntriesOf(Map.of("github", "http://one", "my-tools", "http://two"));
    }

    @Test
    void toStringShowsNoValues() {
        assertThat(BridgeEnvironmentVariables.of(Map.of("TOKEN", "secret"))).hasToString("1 variables");
    }
}
