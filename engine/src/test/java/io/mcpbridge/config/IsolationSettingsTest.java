package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.config.IsolationSettings.ExecutionLimits;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server says of processes for single calls: {@link IsolationSettings} and {@link ExecutionLimits}. */
class IsolationSettingsTest {

    private static ServerSettings server(String keys) {
        return ServerSettings.of(
                "alone", "stdio", Settings.parse("{\"command\": \"x\", \"isolation\": \"call\"" + keys + "}"));
    }

    @Test
    void callsShareSessionsByDefault() {
        var server = ServerSettings.of("shared", "stdio", Settings.parse("{\"command\": \"x\"}"));

        assertThat(server.isolation().perCall()).isFalse();
        assertThat(server.settings().unknownKeys()).containsExactly("command");
    }

    @Test
    void absentKeysKeepTheirDefaults() {
        var server = server("");

        assertThat(server.isolation()).isEqualTo(new IsolationSettings(true, 2, 16, Duration.ofMinutes(10)));
        assertThat(server.execution()).isEqualTo(new ExecutionLimits(Duration.ofSeconds(30), 256));
    }

    @Test
    void everyKeyIsRead() {
        var server = server("""
            , "pool": {"warm": 3, "max": 4, "idle": "1m"}, "max-execution": "5s", "max-memory": "64MiB",
            "tools": {"large": {"maxMemoryMb": 512}, "slow": {"max-execution": "1m"}}\
            """);

        assertThat(server.isolation()).isEqualTo(new IsolationSettings(true, 3, 4, Duration.ofMinutes(1)));
        assertThat(server.execution()).isEqualTo(new ExecutionLimits(Duration.ofSeconds(5), 64));
        assertThat(server.tool("large").execution()).isEqualTo(new ExecutionLimits(Duration.ofSeconds(5), 512));
        assertThat(server.tool("slow").execution()).isEqualTo(new ExecutionLimits(Duration.ofMinutes(1), 64));
        assertThat(server.tool("other").execution()).isEqualTo(server.execution());
        assertThat(server.settings().unknownKeys()).containsExactly("command");
    }

    @Test
    void alternativeKeysAreRead() {
        assertThat(server(", \"maxExecutionMs\": 100, \"maxMemoryMb\": 0").execution())
                .isEqualTo(new ExecutionLimits(Duration.ofMillis(100), 0));
    }

    @Test
    void memoryLimitDefaultsToThatOfTheSandbox() {
        var sandbox = ", \"sandbox\": {\"maxMemoryMb\": 100}";

        assertThat(server(sandbox).execution().maxMemoryMb()).isEqualTo(100);
        assertThat(server(sandbox + ", \"maxMemoryMb\": 50").execution().maxMemoryMb())
                .isEqualTo(50);
    }

    @Test
    void memoryLimitMayExceedTwoGigabytes() {
        assertThat(server(", \"max-memory\": \"4096MiB\"").execution().maxMemoryMb())
                .isEqualTo(4096);
        assertThat(server(", \"sandbox\": {\"max-memory\": \"4096MiB\"}")
                        .execution()
                        .maxMemoryMb())
                .isEqualTo(4096);
    }

    @Test
    void perCallSettingsDifferOnlyInTheMemoryLimit() {
        var server = server(", \"sandbox\": {\"maxMemoryMb\": 100, \"max-processes\": 8}, \"maxMemoryMb\": 4096");

        var limits = ProcessLimits.from(server.settingsOfCalls().section("sandbox"));

        assertThat(limits).isEqualTo(ProcessLimits.NONE.withProcesses(8).withMemoryBytes(4096L << 20));
        assertThat(ProcessLimits.from(server.settings().section("sandbox")).memoryBytes())
                .isEqualTo(100 << 20);
    }

    @Test
    void limitGivenUnderTwoKeysIsRejectedInPerCallSettings() {
        var server = server(", \"sandbox\": {\"maxMemoryMb\": 100, \"max-memory\": \"1GiB\"}");

        assertThatThrownBy(() -> ProcessLimits.from(server.settingsOfCalls().section("sandbox")))
                .hasMessageContaining("'sandbox.maxMemoryMb' is 100 but must be left out beside 'max-memory'");
    }

    @ParameterizedTest
    @CsvSource({"max-memory, '\"1GiB\"', maxMemoryMb, 3", "maxExecutionMs, 5, max-execution, '\"1s\"'"})
    void limitGivenUnderTwoKeysIsRejected(String one, String value, String other, String otherValue) {
        var sections = ", \"%s\": %s, \"%s\": %s".formatted(one, value, other, otherValue);

        assertThatThrownBy(() -> server(sections)).hasMessageContaining("must be left out beside 'max-");
    }

    @Test
    void perCallSettingsWithoutAMemoryLimitAreTheServerSettings() {
        var server = server(", \"maxMemoryMb\": 0");

        assertThat(server.settingsOfCalls()).isSameAs(server.settings());
    }

    @Test
    void warmProcessesAreCappedAtThePoolMaximum() {
        assertThat(server(", \"pool\": {\"max\": 1}").isolation().warm()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "pool           | {'max': 0}             | 'pool.max' is 0 but must be from 1 to 256",
                "pool           | {'max': 257}           | 'pool.max' is 257 but must be from 1 to 256",
                "pool           | {'warm': 3, 'max': 2}  | 'pool.warm' is 3 but must be from 0 to 'max', 2",
                "pool           | {'idle': '0s'}         | 'pool.idle' is 0s but must be longer than zero",
                "pool           | 4                      | 'pool' is 4 but must be an object",
                "maxExecutionMs | 0                      | 'maxExecutionMs' is 0 but must be longer than zero",
                "max-execution  | '0s'                   | 'max-execution' is '0s' but must be longer than zero",
                "maxMemoryMb    | -1                     | 'maxMemoryMb' is -1 but must be from 0, which is no limit,"
                        + " to 1048576"
            })
    void wrongValueIsRejected(String key, String value, String problem) {
        var json = ", \"%s\": %s".formatted(key, value.replace('\'', '"'));

        assertThat(Refused.problems(() -> server(json))).containsExactly("line 1: " + problem);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'isolation': 'process', 'command': 'x'   | 'isolation' is 'process' but must be 'none' or 'call'",
                "'isolation': 'call'                      | 'isolation' is 'call' but must be left out where the"
                        + " server is no process of ours, which 'command' would start",
                "'command': 'x', 'maxMemoryMb': 5         | 'maxMemoryMb' is 5 but must be left out where 'isolation'"
                        + " of the server is not 'call'",
                "'command': 'x', 'pool': {'warm': 1}      | 'pool' is an object but must be left out where 'isolation'"
                        + " is not 'call'"
            })
    void isolationWithoutAnEnforceableLimitIsRejected(String keys, String problem) {
        var json = "{" + keys.replace('\'', '"') + "}";

        assertThat(Refused.problems(() -> ServerSettings.of("alone", "stdio", Settings.parse(json))))
                .containsExactly("line 1: " + problem);
    }

    @Test
    void wrongToolSettingIsRejectedWithItsPath() {
        assertThat(Refused.problems(() -> server(", \"tools\": {\"slow\": {\"maxExecutionMs\": 0}}")))
                .containsExactly("line 1: 'tools.slow.maxExecutionMs' is 0 but must be longer than zero");
    }
}
