package io.mcpbridge.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.Bridge;
import io.mcpbridge.CallOptions;
import io.mcpbridge.ServerHealth;
import io.mcpbridge.ServerHealth.Status;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.RetrySettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the contract says of a bridge over many servers, with its defaults: rows E1 to E5. */
@Timeout(60)
class ManyServersContractTest {
    private static final String GITHUB = "{\"mcpServers\": {\"github\": {\"type\": \"memory\"}}}";

    private final FrontDoorBench bench = new FrontDoorBench();

    @Test
    @DisplayName("E2: a server has 30 s, 2 retries, 1000 ms and factor 2 by default, and can override them")
    void serverSettingsHaveDefaultsAndCanBeOverridden() {
        var plain = server("{}");
        var other = server("{\"enabled\": false, \"healthCheckUrl\": \"http://localhost:1/health\","
                + " \"timeoutMs\": 5000, \"maxRetries\": 4, \"retryDelayMs\": 10, \"backoffMultiplier\": 3}");

        assertThat(plain.enabled()).isTrue();
        assertThat(plain.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(plain.retry()).isEqualTo(new RetrySettings("", 2, Duration.ofSeconds(1), 2));
        assertThat(other.enabled()).isFalse();
        assertThat(other.healthCheckUrl()).hasToString("Optional[http://localhost:1/health]");
        assertThat(other.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(other.retry()).isEqualTo(new RetrySettings("", 4, Duration.ofMillis(10), 3));
    }

    private static ServerSettings server(String section) {
        var json = "{\"mcpServers\": {\"x\": %s}}"
                .formatted(section.replaceFirst("[{]", "{\"url\": \"http://localhost:1\", ")
                        .replace(", }", "}"));
        return parse(json, Map.of()).server("x").orElseThrow();
    }

    @Test
    @DisplayName("C1: a server that cannot start fails each call without a retry")
    void serverThatCannotStartFailsEachCallWithoutARetry() {
        try (var bridge = Bridge.builder().stdio("gone", "/no/such/program").open()) {
            for (int call = 0; call < 3; call++) {
                var failed = catchThrowableOfType(CallException.class, () -> bridge.callTool("gone", "any", Map.of()));
                assertThat(failed.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
                assertThat(failed.attempts()).isEqualTo(1);
                assertThat(failed).hasMessageContaining("/no/such/program");
            }
        }
    }

    @Test
    @DisplayName("E2: a disabled server is not served")
    void disabledServerIsNotServed() {
        try (var bridge = open("{\"mcpServers\": {\"off\": {\"type\": \"memory\", \"enabled\": false}}}")) {
            assertThat(bridge.servers()).isEmpty();
        }
    }

    @Test
    @DisplayName("E2: retries, their delay, its growth and the timeout can be set per call")
    void retriesAndTimeoutCanBeSetPerCall() {
        refusing(-32000);
        try (var bridge = open(GITHUB)) {
            var options = CallOptions.DEFAULTS
                    .withMaxRetries(3)
                    .withRetryDelay(Duration.ofMillis(100))
                    .withBackoffMultiplier(3);
            var result = bridge.callToolAsync("github", "getIssue", Map.of(), options);
            bench.pass(Duration.ofMillis(100));
            bench.pass(Duration.ofMillis(300));
            bench.pass(Duration.ofMillis(900));
            assertThat(FrontDoorBench.failure(CallException.class, result).attempts())
                    .isEqualTo(4);

            var never = bridge.callToolAsync("github", "getIssue", Map.of(), CallOptions.DEFAULTS.withMaxRetries(0));
            assertThat(FrontDoorBench.failure(CallException.class, never).attempts())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("E2: invalid call options are rejected")
    void invalidCallOptionsAreRejected() {
        assertThatThrownBy(() -> CallOptions.DEFAULTS.withMaxRetries(-1)).hasMessageContaining("maxRetries is -1");
        assertThatThrownBy(() -> CallOptions.DEFAULTS.withMaxRetries(101))
                .hasMessage("retries must be between 0 and 100, but maxRetries is 101");
        assertThatThrownBy(() -> CallOptions.DEFAULTS.withMaxAttempts(0)).hasMessageContaining("maxAttempts is 0");
        assertThatThrownBy(() -> CallOptions.DEFAULTS.withMaxAttempts(102))
                .hasMessage("attempts must be between 1 and 101, but maxAttempts is 102");
        assertThatThrownBy(() -> CallOptions.DEFAULTS.withTimeout(Duration.ZERO))
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> CallOptions.DEFAULTS.withRetryDelay(Duration.ofMillis(-1)))
                .hasMessageContaining("PT-0.001S");
        assertThatThrownBy(() -> CallOptions.DEFAULTS.withBackoffMultiplier(0.5))
                .hasMessageContaining("0.5");
    }

    @Test
    @DisplayName("E3: the health of all servers is checked concurrently")
    void healthOfAllServersIsCheckedConcurrently() throws Exception {
        try (var own = StandardEnvironment.open(Map.of());
                var bridge = Bridge.open(
                        parse(servers("a", "b", "c"), Map.of()),
                        bench.bridging().withEnvironment(own.environment()))) {
            var asked = CompletableFuture.supplyAsync(() -> checkAll(bridge));

            var pings = List.of(bench.server.awaitRequest(), bench.server.awaitRequest(), bench.server.awaitRequest());
            pings.forEach(ping -> bench.server.answer(ping, "{}"));

            var health = asked.get(30, TimeUnit.SECONDS);
            assertThat(health).containsOnlyKeys("a", "b", "c");
            assertThat(health.values()).allSatisfy(each -> {
                assertThat(each.status()).isEqualTo(Status.HEALTHY);
                assertThat(each.latency()).isPositive();
                assertThat(each.error()).isEmpty();
            });
        }
    }

    @Test
    @DisplayName("E3: a server that does not answer is degraded, with its error and latency")
    void silentServerIsDegraded() throws Exception {
        try (var bridge = open(servers("a", "b"))) {
            var asked = CompletableFuture.supplyAsync(() -> checkAll(bridge));
            bench.server.answer(bench.server.awaitRequest(), "{}");
            var unused = bench.timeOut(Duration.ofSeconds(30));

            var health = asked.get(30, TimeUnit.SECONDS);
            assertThat(health.values())
                    .extracting(ServerHealth::status)
                    .containsExactly(Status.HEALTHY, Status.DEGRADED);
            assertThat(health.values())
                    .last()
                    .satisfies(late -> assertThat(late.latency()).isEqualTo(Duration.ofSeconds(30)))
                    .satisfies(late -> assertThat(late.error()).contains("timed out"));
        }
    }

    private static Map<String, ServerHealth> checkAll(Bridge bridge) {
        try {
            return bridge.checkAllHealth();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    @DisplayName("E4: endpoint variables define servers, with 60 s for deploy")
    void endpointVariablesDefineServers() {
        var configuration = parse(
                "{}",
                Map.of(
                        "MCP_GITHUB_ENDPOINT", "http://one:1",
                        "MCP_DEPLOY_ENDPOINT", "http://two:2",
                        "MCP_OBSERVABILITY_ENDPOINT", "http://three:3",
                        "MCP_MY_OWN_ENDPOINT", "http://four:4"));

        assertThat(configuration.servers())
                .extracting(ServerSettings::name)
                .containsExactly("deploy", "github", "my-own", "observability");
        assertThat(configuration.servers())
                .extracting(each -> each.timeout().toSeconds())
                .containsExactly(60L, 30L, 30L, 30L);
    }

    @Test
    @DisplayName("E4: the preset has the three servers of the contract")
    void presetDefinesThreeServers() {
        var configuration = parse("{\"bridge\": {\"servers\": \"defaults\"}}", Map.of());

        assertThat(configuration.servers())
                .extracting(each -> "%s %s %d %s"
                        .formatted(
                                each.name(),
                                each.settings().text("url").orElse(""),
                                each.timeout().toSeconds(),
                                each.retry().equals(RetrySettings.DEFAULTS)))
                .containsExactly(
                        "deploy http://localhost:3002 60 true",
                        "github http://localhost:3001 30 true",
                        "observability http://localhost:3003 30 true");
    }

    @Test
    @DisplayName("E5: exhausted retries have a type, a message and log lines of their own")
    void exhaustedRetriesAreReportedAndLogged() {
        refusing(-32000);
        try (var bridge = open(GITHUB)) {
            var options = CallOptions.DEFAULTS.withCorrelationId("r-1");
            var result = bridge.callToolAsync("github", "getIssue", Map.of(), options);
            bench.pass(Duration.ofSeconds(1));
            bench.pass(Duration.ofSeconds(2));

            assertThat(FrontDoorBench.failure(CallException.class, result)).hasMessageContaining("after all retries");
        }
        var why = ": github.getIssue: github answered with error -32000";
        assertThat(bench.log.lines().stream().filter(line -> line.contains("request r-1")))
                .containsExactly(
                        "[mcp-bridge] Calling tool github.getIssue" + at(1),
                        "[mcp-bridge] Tool call failed (retryable error)" + why + at(1),
                        "[mcp-bridge] Retrying github.getIssue (attempt 2/3) after 1000ms" + at(2),
                        "[mcp-bridge] Calling tool github.getIssue" + at(2),
                        "[mcp-bridge] Tool call failed (retryable error)" + why + at(2),
                        "[mcp-bridge] Retrying github.getIssue (attempt 3/3) after 2000ms" + at(3),
                        "[mcp-bridge] Calling tool github.getIssue" + at(3),
                        "[mcp-bridge] Tool call failed after all retries" + why + at(3));
    }

    private static String at(int attempt) {
        return " [request r-1, timeout 30000ms, attempt %d]".formatted(attempt);
    }

    @Test
    @DisplayName("E5: a call that timed out has an exception and a message of its own")
    void timeoutHasItsOwnException() {
        try (var bridge = open(GITHUB)) {
            var options = CallOptions.DEFAULTS.withMaxRetries(0).withTimeout(Duration.ofMillis(50));
            var result = bridge.callToolAsync("github", "getIssue", Map.of(), options);
            var unused = bench.timeOut(Duration.ofMillis(50));

            assertThat(FrontDoorBench.failure(CallTimedOutException.class, result))
                    .hasMessageContaining("timed out after 50 ms");
        }
    }

    @Test
    void retryPolicyOfTheConfigurationApplies() {
        refusing(-32000);
        var json = GITHUB.replaceFirst("[{]", "{\"bridge\": {\"retry\": {\"policy\": \"none\"}}, ");
        try (var bridge = open(json)) {
            var result = bridge.callToolAsync("github", "getIssue", Map.of(), CallOptions.DEFAULTS);
            assertThat(FrontDoorBench.failure(CallException.class, result).attempts())
                    .isEqualTo(1);

            var again = CallOptions.DEFAULTS.withMaxRetries(4);
            assertThat(FrontDoorBench.failure(
                                    CallException.class, bridge.callToolAsync("github", "getIssue", Map.of(), again))
                            .attempts())
                    .isEqualTo(1);
        }
    }

    @Test
    void unknownRetryPolicyIsReported() {
        var json = "{\"bridge\": {\"retry\": {\"policy\": \"exponentiel\"}}}";

        assertThatThrownBy(() -> open(json))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'exponentiel'")
                .hasMessageContaining("exponential,");
    }

    @Test
    @DisplayName("C8: while a server is disconnected, calls fail with a retryable PROVIDER_UNAVAILABLE")
    void callToADisconnectedServerIsRetryable() {
        bench.server.on(Methods.PING, "{}");
        try (var bridge = open(GITHUB)) {
            var result = bridge.callToolAsync("github", "getIssue", Map.of(), CallOptions.DEFAULTS.withMaxRetries(0));
            var unused = bench.server.awaitRequest();
            bench.server.cut();

            var failed = FrontDoorBench.failure(CallException.class, result);
            assertThat(failed.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
            assertThat(failed.retryable()).isTrue();
            Eventually.holds("the state", () -> bridge.status().get(0).error().contains("the peer ended"));
        }
    }

    @Test
    @DisplayName("F3: a listing that was lost with its connection fails and may be repeated")
    void lostListingMayBeRepeated() {
        try (var bridge = open(GITHUB)) {
            var listed = bridge.server("github").listToolsAsync();
            var unused = bench.server.awaitRequest();
            bench.server.cut();

            assertThat(FrontDoorBench.failure(CallException.class, listed).retryable())
                    .isTrue();
        }
    }

    private Bridge open(String json) {
        return Bridge.open(parse(json, Map.of()), bench.bridging());
    }

    private static BridgeConfiguration parse(String json, Map<String, String> variables) {
        return BridgeConfiguration.parse(json, Path.of(""), variables);
    }

    private static String servers(String... names) {
        var sections = List.of(names).stream()
                .map(name -> "\"%s\": {\"type\": \"memory\"}".formatted(name))
                .toList();
        return "{\"mcpServers\": {%s}}".formatted(String.join(", ", sections));
    }

    private void refusing(int code) {
        bench.server.onRequest(Methods.TOOLS_CALL, request -> Response.error(request.id(), code, "not now"));
    }
}
