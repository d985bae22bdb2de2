package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.server.ServerMode.Capability;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Row B9: what is admitted in which mode, and how the mode is chosen. */
@Timeout(60)
class ModesTest {

    @ParameterizedTest
    @CsvSource({
        "FULL, reads writes essential networks asks",
        "READONLY, reads",
        "TEST, reads writes essential networks asks",
        "MINIMAL, essential"
    })
    void b9EachModeAdmitsItsTools(ServerMode mode, String admitted) throws Exception {
        var all = List.of("reads", "writes", "essential", "networks", "asks");
        try (var bench = new ServeBench()) {
            bench.options.mode(mode);
            bench.with("reads", ServeBench.PLAIN.asReadOnly(), call -> 1)
                    .with("writes", call -> 1)
                    .with("essential", ServeBench.PLAIN.asEssential(), call -> 1)
                    .with("networks", ServeBench.PLAIN.needing(Capability.NETWORK), call -> 1)
                    .with("asks", ServeBench.PLAIN.needing(Capability.ASK_CLIENT, Capability.NETWORK), call -> 1);
            var client = bench.legacy();

            var list = client.ask("tools/list", "");
            for (var tool : all) {
                var isAdmitted = List.of(admitted.split(" ")).contains(tool);
                assertThat(list.contains("\"name\":\"" + tool + "\"")).isEqualTo(isAdmitted);
                assertThat(client.call(tool, "{}").contains("\\\"ok\\\":true")).isEqualTo(isAdmitted);
            }
            assertThat(client.envelope("server_ping", "{}")).contains("\"mode\":\"" + mode + "\"");
        }
    }

    @Test
    void b9RejectedToolIsDeniedWithoutWaiting() throws Exception {
        try (var bench = new ServeBench()) {
            bench.options.mode(ServerMode.READONLY);
            bench.with("writes", call -> 1);

            assertThat(bench.legacy().call("writes", "{}"))
                    .contains("-31008")
                    .contains("ToolNotAdmitted: the tool 'writes' is not admitted in mode READONLY: it is not declared")
                    .contains("\"reason\":\"tool_not_admitted\"");
            assertThat(bench.records()).singleElement().isInstanceOf(ToolDenied.class);
        }
    }

    @Test
    void b9MissingCapabilityOfTheModeIsNamed() throws Exception {
        try (var bench = new ServeBench()) {
            bench.options.mode(ServerMode.MINIMAL);
            bench.with(
                    "asks",
                    ServeBench.PLAIN.asEssential().needing(Capability.ASK_CLIENT, Capability.NETWORK),
                    call -> 1);

            assertThat(bench.legacy().call("asks", "{}"))
                    .contains("not admitted in mode MINIMAL: it needs NETWORK and ASK_CLIENT");
        }
    }

    @Test
    void b9ModeTestKeepsItsAuditInMemory() throws Exception {
        try (var bench = new ServeBench()) {
            bench.options.mode(ServerMode.TEST);
            bench.with("one", call -> 1);

            bench.legacy().envelope("one", "{}");

            assertThat(bench.audit.records()).isEmpty();
            assertThat(bench.server().auditSink())
                    .isInstanceOfSatisfying(
                            InMemoryAuditSink.class,
                            memory -> assertThat(memory.records())
                                    .hasSize(2)
                                    .hasAtLeastOneElementOfType(ToolEnter.class));
        }
    }

    @ParameterizedTest
    @CsvSource({"MCP_BRIDGE_MODE, READONLY, READONLY", "COLIBRI_MODE, minimal, MINIMAL", "OTHER, x, FULL"})
    void b9ModeIsReadFromAVariable(String variable, String value, ServerMode mode) {
        try (var bench = new ServeBench(Map.of(variable, value))) {
            assertThat(bench.server().mode()).isEqualTo(mode);
        }
    }

    @Test
    void b9ContradictingVariablesAreRejected() {
        var agreeing = Map.of("MCP_BRIDGE_MODE", "TEST", "COLIBRI_MODE", "test");
        try (var bench = new ServeBench(agreeing)) {
            assertThat(bench.server().mode()).isEqualTo(ServerMode.TEST);
        }
        assertThatThrownBy(() -> ServerMode.from(io.mcpbridge.config.BridgeEnvironmentVariables.of(
                        Map.of("MCP_BRIDGE_MODE", "FULL", "COLIBRI_MODE", "READONLY"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "the variable 'MCP_BRIDGE_MODE' is 'FULL' but 'COLIBRI_MODE' is 'READONLY'; set one of them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MCP_BRIDGE_MODE", "COLIBRI_MODE"})
    void b9InvalidModeIsRejectedWithItsVariable(String variable) {
        assertThatThrownBy(() ->
                        ServerMode.from(io.mcpbridge.config.BridgeEnvironmentVariables.of(Map.of(variable, "LOUD"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the mode is 'LOUD' but must be FULL, READONLY, TEST or MINIMAL")
                .hasMessageContaining("'%s'".formatted(variable));
    }

    @Test
    void b9LegacyVariableIsRejected() {
        assertThatThrownBy(() -> io.mcpbridge.config.BridgeEnvironmentVariables.of(Map.of("AMS_MODE", "FULL")))
                .hasMessage("legacy AMS_MODE: set 'MCP_BRIDGE_MODE' instead");
    }

    @Test
    void a4ALegacyVariableIsRefusedAlsoIfTheProgramSetsModeAndStartupTimeout() {
        try (var environment = StandardEnvironment.open(Map.of("AMS_TIMEOUT", "5"))) {
            var options = ToolServerOptions.builder()
                    .environment(environment.environment())
                    .mode(ServerMode.FULL)
                    .startupTimeout(Duration.ofSeconds(30))
                    .build();

            assertThatThrownBy(() -> ToolServer.create(options))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("legacy AMS_TIMEOUT: set 'MCP_BRIDGE_TIMEOUT' instead");
        }
    }
}
