package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.engine.pipeline.NoRetriesProvider.NoRetries;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationCheckTest {

    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"retry\": {\"policy\": \"saef\"}       | line 2: 'bridge.retry.policy' is 'saef' but must be a retry"
                        + " policy; did you mean 'safe'? found are exponential, fussy, none, safe;",
                "\"retry\": {\"polcy\": \"safe\"}        | line 2: 'bridge.retry.polcy' is not a key here; did you"
                        + " mean 'policy'?",
                "\"retry-budget\": {\"cost\": 0}         | line 2: 'bridge.retry-budget.cost' is 0 but must be between"
                        + " 1 and 'capacity'",
                "\"breaker\": {\"window\": \"1ms\"}      | line 2: 'bridge.breaker.window' is 1ms but must be between"
                        + " 1s and 24h",
                "\"limits\": {\"in-flight\": 0}          | line 2: 'bridge.limits.in-flight' is 0 but must be at least"
                        + " 1",
                "\"rate-limit\": {}                      | line 2: 'bridge.rate-limit.per-second' must be set to a"
                        + " number such as 50",
                "\"telemetry\": {\"observer\": \"non\"}  | line 2: 'bridge.telemetry.observer' is 'non' but must be"
                        + " one that is there",
                "\"telemetry\": {\"spns\": \"off\"}      | line 2: 'bridge.telemetry.spns' is not a key here; did you"
                        + " mean 'spans'?",
                "\"audit\": {\"sink\": \"nop\"}          | line 2: 'bridge.audit.sink' is 'nop' but must be an"
                        + " installed sink; did you mean 'noop'?",
                "\"audit\": {\"sink\": \"noop\", \"mode\": \"no\"} | line 2: 'bridge.audit.mode' is 'no' but must be"
                        + " one of [off, best-effort, required-for-changes, required]",
                "\"audit\": {\"sink\": \"noop\", \"lvl\": 1} | line 2: 'bridge.audit.lvl' is not a key here",
                "\"audit\": {\"segment-sise\": \"1MB\"} | line 2: 'bridge.audit.segment-sise' is not a key here; did"
                        + " you mean 'segment-size'?",
                "\"audit\": {\"keep\": {\"for\": \"banana\"}} | line 2: 'bridge.audit.keep.for' is 'banana' but must be"
                        + " a time span such as 90d or 12h",
                "\"audit\": {\"level\": \"all\"} | line 2: 'bridge.audit.level' is 'all' but must be 'metadata',",
                "\"audit\": {\"sync-every\": \"2m\"} | line 2: 'bridge.audit.sync-every' is 120000ms but must be"
                        + " between",
                "\"audit\": {\"mode\": \"strict\"} | line 2: 'bridge.audit.mode' is 'strict' but must be one of [off,",
                "\"catalog\": {\"kind\": \"memroy\"}     | line 2: in 'bridge.catalog': there is no"
                        + " tool catalog 'memroy'; did you mean 'memory'?",
                "\"listen\": {\"htp\": {}}               | line 2: in 'bridge.listen.htp': there is no"
                        + " listener 'htp'; did you mean 'http'?",
                "\"listen\": {\"http\": {\"port\": -1}}  | line 2: 'bridge.listen.http.port' is -1 but must be between"
                        + " 0 and 65535"
            })
    void mistakeInTheBridgeSectionFailsTheCheckAndTheStart(String section, String problem) throws IOException {
        var file = file("{\"bridge\": {\n%s}}".formatted(section));

        assertThat(everything(file)).singleElement().asString().startsWith(file + ": " + problem);
        assertThat(toServe(file)).isEqualTo(everything(file));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"retry\": \"saef\"               | line 2: 'mcpServers.a.retry' is 'saef' but must be a retry"
                        + " policy; did you mean 'safe'?",
                "\"tools\": {\"t\": {\"retry\": \"no\"}} | line 2: 'mcpServers.a.tools.t.retry' is 'no' but must be a"
                        + " retry policy; did you mean 'none'?",
                "\"breaker\": {\"minimum-calls\": 0} | line 2: 'mcpServers.a.breaker.minimum-calls' is 0 but must be"
                        + " at least 1",
                "\"breaker\": {\"min-calls\": 0}    | line 2: 'mcpServers.a.breaker.min-calls' is not a key here",
                "\"retry-budget\": {\"capcity\": 1} | line 2: 'mcpServers.a.retry-budget.capcity' is not a key here;"
                        + " did you mean 'capacity'?",
                "\"cache\": {\"entries\": 0}        | line 2: 'mcpServers.a.cache.entries' is 0 but must be at least 1",
                "\"rate-limit\": {}                 | line 2: 'mcpServers.a.rate-limit.per-second' must be set",
                "\"concurrency\": {\"queue\": -1}   | line 2: 'mcpServers.a.concurrency.queue' is -1 but must be",
                "\"coalescing\": {\"max-call\": 2}  | line 2: 'mcpServers.a.coalescing.max-call' is not a key here;"
                        + " did you mean 'max-calls'?",
                "\"connections\": 0                 | line 2: 'mcpServers.a.connections' is 0 but must be at least 1",
                "\"type\": \"htp\"                   | line 1: in 'mcpServers.a': there is no transport 'htp';"
                        + " did you mean 'http'?"
            })
    void mistakeInAServerFailsTheCheckAndOmitsTheServer(String key, String problem) throws IOException {
        var file = file("{\"mcpServers\": {\"a\": {\n\"url\": \"http://localhost:1/mcp\", %s}}}".formatted(key));

        assertThat(everything(file)).singleElement().asString().startsWith(file + ": " + problem);
        assertThat(ConfigurationCheck.toServe(file, Map.of(), DaemonOptions.DEFAULTS)
                        .servers())
                .hasSize(1);
    }

    @Test
    void shellCommandIsAcceptedAsWritten() throws IOException {
        var file = file("""
                {"mcpServers": {
                "a": {"command": "sh", "args": ["-c", "exec server"]},
                "b": {"command": "sh", "args": ["-c", "exec server"], "allow-shell": true}}}""");

        var read = ConfigurationCheck.ofEverything(file, Map.of());

        assertThat(read.servers()).hasSize(2);
        assertThat(read.warnings()).singleElement().asString().contains("allow-shell");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{\"mcpServers\": {\"a\": {\"type\": %s, \"command\": \"x\"}}}",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"retry\": %s}}}",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"schemes\": [%s]}}}",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"env\": {\"A=B\": %s}}}}",
                "{\"bridge\": {\"catalog\": {\"kind\": %s}}}",
                "{\"bridge\": {\"retry\": {\"policy\": %s}}}",
                "{\"bridge\": {\"telemetry\": {\"observer\": %s}}}",
                "{\"bridge\": {\"listen\": {\"http\": {\"allowed-origins\": [%s]}}}}",
                "{\"bridge\": {\"listen\": {\"http\": {\"allowed-hosts\": [\"a b\", %s]}}}}"
            })
    void valueFromAPlaceholderIsNeverQuoted(String json) throws IOException {
        var file = file(json.formatted("\"${env:SECRET}\""));

        for (var secret : List.of("s3cr3t VALUE", "?+*", "x://u:s3cr3t@h/?s3cr3t")) {
            assertThatThrownBy(() -> ConfigurationCheck.ofEverything(file, Map.of("SECRET", secret)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageNotContainingAny(secret, "s3cr3t");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "bridge.drain-timeout                    | {\"bridge\": {%s}}",
                "bridge.call-timeout                     | {\"bridge\": {%s}}",
                "bridge.keep-alive                       | {\"bridge\": {%s}}",
                "mcpServers.a.timeout                    | {\"mcpServers\": {\"a\": {\"command\": \"x\", %s}}}",
                "mcpServers.a.discovery-timeout              | {\"mcpServers\": {\"a\": {\"command\": \"x\", %s}}}",
                "mcpServers.a.reconnect-backoff          | {\"mcpServers\": {\"a\": {\"command\": \"x\", %s}}}",
                "mcpServers.a.tools.t.timeout            | {\"mcpServers\": {\"a\": {\"command\": \"x\","
                        + " \"tools\": {\"t\": {%s}}}}}",
                "bridge.listen.unix.frame-deadline       | {\"bridge\": {\"listen\": {\"unix\": {%s}}}}",
                "bridge.listen.unix.grace                | {\"bridge\": {\"listen\": {\"unix\": {%s}}}}",
                "bridge.listen.stdio.drain-timeout     | {\"bridge\": {\"listen\": {\"stdio\": {%s}}}}"
            })
    void oversizedDurationIsRejected(String path, String json) throws IOException {
        var key = path.substring(path.lastIndexOf('.') + 1);

        var file = file(json.formatted("\n\"" + key + "\": \"9999999h\""));

        assertThat(toServe(file))
                .containsExactly(file + ": line 2: '" + path
                        + "' is '9999999h' but must be at most 876000h, which is 36500 days");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"drain-timeout", "call-timeout", "keep-alive"})
    void longestDurationIsAccepted(String key) throws IOException {
        var file = file("{\"bridge\": {\"%s\": \"876000h\"}}".formatted(key));

        assertThat(ConfigurationCheck.toServe(file, Map.of(), DaemonOptions.DEFAULTS)
                        .servers())
                .isEmpty();
    }

    @Test
    void mistakesOfAllKindsAreReportedTogetherInLineOrder() throws IOException {
        var file = file("""
            {"mcpServers": {
               "a": {"command": "x", "timeout": "soon",
                     "cwd": "/no/such/folder"},
               "b": {"url": "http://u:geheim@a.example/",
                     "retry": "hope"}},
             "bridge": {
               "drain-timeout": "0s",
               "retry": {"policy": "hope"},
               "listen": {"http": {"prot": 1}}}}\
            """);

        assertThat(toServe(file))
                .isEqualTo(everything(file))
                .satisfiesExactly(
                        first -> assertThat(first).contains("line 2: 'mcpServers.a.timeout' is 'soon'"),
                        second -> assertThat(second).contains("line 3: 'mcpServers.a.cwd' is '/no/such/folder'"),
                        third -> assertThat(third).contains("line 4: 'mcpServers.b.url' is 'http://***@a.example/'"),
                        fourth -> assertThat(fourth).contains("line 5: 'mcpServers.b.retry' is 'hope'"),
                        fifth -> assertThat(fifth).contains("line 7: 'bridge.drain-timeout' is 0s"),
                        sixth -> assertThat(sixth).contains("line 8: 'bridge.retry.policy' is 'hope'"),
                        seventh -> assertThat(seventh).contains("line 9: 'bridge.listen.http.prot' is not a key"));
        assertThat(everything(file)).noneMatch(problem -> problem.contains("geheim"));
    }

    @Test
    void keysThatTheRetryPolicyRejectsAreReported() throws IOException {
        var file = file("""
                {"bridge": {"retry": {"policy": "fussy"}},
                 "mcpServers": {
                "a": {"command": "x"},
                "b": {"command": "x", "max-retries": 4,
                  "tools": {"same": {"timeout": "1s"},
                    "other": {"max-retries": 5}}}}}""");

        assertThat(everything(file))
                .containsExactly(
                        file + ": line 4: in 'mcpServers.b': 'max-attempts' is 5 but must be at most 3",
                        file + ": line 6: in 'mcpServers.b.tools.other': 'max-attempts' is 6 but must be at most 3");
    }

    /** A policy of another author. */
    public static final class FussyRetryProvider implements RetryPolicyProvider {

        @Override
        public Id id() {
            return new Id("fussy", SPI_VERSION);
        }

        @Override
        public RetryPolicy create(Settings settings, Environment environment) {
            settings.require(settings.integer("max-attempts", 2) <= 3, "max-attempts", "at most 3");
            return settings.finish(NoRetries::new);
        }
    }

    @Test
    void retryOfTheWrongTypeIsOneMistake() throws IOException {
        var file = file("{\"mcpServers\": {\"a\": {\"command\": \"x\", \"retry\": {}}}}");

        assertThat(everything(file)).singleElement().asString().contains("'mcpServers.a.retry' is an object but");
    }

    @Test
    void daemonRejectsWhatTheCheckRejects() throws IOException {
        var file = file("{\"bridge\": {\"retry\": {\"policy\": \"saef\"}, \"listen\": {\"http\": {\"port\": -1}}}}");
        var read = BridgeConfiguration.read(file, Map.of());

        assertThatThrownBy(() -> Daemon.start(read, DaemonOptions.DEFAULTS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("did you mean 'safe'", "'bridge.listen.http.port' is -1");
    }

    private Path file(String json) throws IOException {
        return Files.writeString(folder.resolve("mcp.json"), json);
    }

    private static List<String> everything(Path file) {
        return catchThrowableOfType(ConfigurationException.class, () -> ConfigurationCheck.ofEverything(file, Map.of()))
                .problems();
    }

    private static List<String> toServe(Path file) {
        return catchThrowableOfType(
                        ConfigurationException.class,
                        () -> ConfigurationCheck.toServe(file, Map.of(), DaemonOptions.DEFAULTS))
                .problems();
    }
}
