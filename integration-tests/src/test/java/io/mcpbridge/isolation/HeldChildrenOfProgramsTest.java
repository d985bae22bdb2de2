package io.mcpbridge.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.gateway.SandboxReport;
import io.mcpbridge.spi.SandboxLevel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a configuration says of the sandbox holds for programs too, where the module is there. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class HeldChildrenOfProgramsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void openFilesLimitOfAServerApplies() throws Exception {
        var file = configure("\"sandbox\": {\"maxOpenFiles\": 77}", "");
        assumeTrue(canHold(file, SandboxLevel.L1), "the machine has no prlimit");

        try (var bridge = Bridge.open(file)) {
            assertThat(bridge.callTool("alone", "count", Map.of()).text()).startsWith("1 in ");
        }
    }

    @Test
    void memoryLimitForSingleCallsApplies() throws Exception {
        var file = configure("\"maxMemoryMb\": 256", "");
        assumeTrue(canHold(file, SandboxLevel.L1), "the machine has no prlimit");

        try (var bridge = Bridge.open(file)) {
            assertThat(bridge.callTool("alone", "count", Map.of()).text()).startsWith("1 in ");
        }
    }

    @Test
    void mistakesInTheSectionOfTheBridgeAreReported() throws Exception {
        var file = configure("\"maxMemoryMb\": 0", "\"bridge\": {\"sandbox\": {\"level\": \"L9\"}}, ");

        assertThatThrownBy(() -> Bridge.open(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'L9'");
    }

    @Test
    void serverThatCannotBeSandboxedIsReported() throws Exception {
        var file = configure("\"maxMemoryMb\": 256", "");

        try (var plain = StandardEnvironment.open()) {
            assertThatThrownBy(() -> Bridge.open(file, BridgeOptions.DEFAULTS.withEnvironment(plain.environment())))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("the process of server 'alone' is to be held at level L1");
        }
    }

    private Path configure(String keys, String bridge) throws Exception {
        var json = "{%s\"mcpServers\": {\"alone\": %s}}".formatted(bridge, ShellServer.section(keys));
        return Files.writeString(folder.resolve("mcp.json"), json);
    }

    private static boolean canHold(Path file, SandboxLevel level) {
        var report = SandboxReport.of(BridgeConfiguration.read(file, Map.of()));
        return report.missing().isEmpty()
                && SandboxLevel.valueOf(report.status().level()).covers(level);
    }
}
