package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RecordingLogger;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Java programs type for a bridge over many servers, which are in this process. */
@Timeout(60)
class ManyServersTest {
    private final FrontDoor door = new FrontDoor();
    private final FakeTimekeeper time = new FakeTimekeeper();

    @Test
    @DisplayName("E1: a tool of a server is called, and the tools of a server are listed")
    void toolOfAServerIsCalledAndItsToolsAreListed() throws InterruptedException {
        door.server
                .on(Methods.TOOLS_CALL, "{\"content\":[]}")
                .on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}");
        try (var bridge = bridge("one", "two")) {
            assertThat(bridge.servers()).containsExactly("one", "two");
            assertThat(bridge.callTool("one", "echo", FrontDoor.NO_ARGUMENTS).isError())
                    .isFalse();
            assertThat(bridge.listTools("two")).hasSize(1);
        }
    }

    @Test
    @DisplayName("E1: servers are added and removed at run time")
    void serversAreAddedAndRemovedAtRunTime() throws InterruptedException {
        door.server.on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}");
        try (var bridge = bridge("one")) {
            bridge.listTools("one");
            assertThatThrownBy(() -> bridge.addServer(settings("one"))).hasMessageContaining("a server 'one' already");
            assertThat(bridge.listTools("one")).hasSize(1);

            bridge.addServer(settings("two"));
            assertThat(bridge.removeServer("one")).isTrue();
            assertThat(bridge.removeServer("one")).isFalse();

            assertThat(bridge.servers()).containsExactly("two");
            assertThatThrownBy(() -> bridge.callTool("one", "echo", FrontDoor.NO_ARGUMENTS))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'one'")
                    .hasMessageContaining("two");
        }
    }

    @Test
    void serverThatAnswersAPingIsHealthy() throws InterruptedException {
        door.server.on(Methods.PING, "{}");
        try (var bridge = bridge("one")) {
            var health = bridge.checkHealth("one");

            assertThat(bridge.checkAllHealth()).containsEntry("one", health);

            assertThat(health.isHealthy()).isTrue();
            assertThat(health.latency()).as("by a clock that stands still").isZero();
        }
    }

    @Test
    void nextCallReconnects() throws InterruptedException {
        door.server.on(Methods.TOOLS_CALL, "{}");
        try (var bridge = bridge("one")) {
            bridge.callTool("one", "echo", FrontDoor.NO_ARGUMENTS);
            door.server.cut();
            Eventually.holds(
                    "the end of the session",
                    () -> bridge.status().get(0).error().contains("the peer ended"));
            time.advance(Duration.ofSeconds(1));

            assertThat(bridge.callTool("one", "echo", FrontDoor.NO_ARGUMENTS).isError())
                    .isFalse();
        }
    }

    @Test
    void closedBridgeFailsCallsAtOnce() {
        var bridge = bridge("one");
        bridge.close();
        bridge.close();

        var failed = FrontDoor.failure(() -> bridge.callTool("one", "echo", FrontDoor.NO_ARGUMENTS));

        assertThat(failed).hasMessageContaining("the bridge is closed");
        assertThat(failed.failure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
    }

    @Test
    void twoBridgesShareNothing() throws InterruptedException {
        var before = LeakCheck.now();
        door.server.on(Methods.TOOLS_CALL, "{}");
        var one = bridge("same");
        try (var other = bridge("same")) {
            one.callTool("same", "echo", FrontDoor.NO_ARGUMENTS);
            one.close();

            assertThat(other.callTool("same", "echo", FrontDoor.NO_ARGUMENTS).isError())
                    .isFalse();
        }
        before.assertNothingLeft();
    }

    @Test
    void callWithoutOptionsReturnsAFuture() throws Exception {
        door.server.on(Methods.TOOLS_CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}");
        try (var bridge = bridge("one")) {
            var result = bridge.callToolAsync("one", "echo", FrontDoor.NO_ARGUMENTS);

            assertThat(result.get(30, TimeUnit.SECONDS).text()).isEqualTo("hi");
        }
    }

    @Test
    void failureBeforeTheCallCompletesTheFuture() {
        var bridge = bridge("one");

        var unknownServer = bridge.callToolAsync("two", "echo", FrontDoor.NO_ARGUMENTS);
        var notJson = bridge.callToolAsync("one", "echo", Map.of("key", new Object()));
        bridge.close();
        var closed = bridge.callToolAsync("one", "echo", FrontDoor.NO_ARGUMENTS);

        assertThatThrownBy(unknownServer::join)
                .hasCauseInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no server 'two'");
        assertThatThrownBy(notJson::join).hasCauseInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(closed::join)
                .hasCauseInstanceOf(CallException.class)
                .hasMessageContaining("the bridge is closed");
        assertThatNullPointerException()
                .isThrownBy(() -> bridge.callToolAsync("one", "echo", nothing()))
                .withMessageStartingWith("arguments must not be null");
    }

    /** What a program without checks of nullness may pass. */
    @SuppressWarnings({"TypeParameterUnusedInFormals", "NullAway"})
    private static <T> T nothing() {
        return null;
    }

    @Test
    void serversOfABuilderAreCalled() throws InterruptedException {
        door.server.on(Methods.TOOLS_CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}");
        var settings = Map.of("type", "memory", "retry", "none");
        try (var bridge = Bridge.builder()
                .stdio("one", List.of("tool", "${env:NOT_SET}"), settings)
                .http("two", URI.create("http://localhost:1"), settings)
                .unix("three", Path.of("/tool.sock"), settings)
                .options(options())
                .open()) {
            assertThat(bridge.servers()).containsExactly("one", "three", "two");
            assertThat(bridge.callTool("one", "echo", FrontDoor.NO_ARGUMENTS).text())
                    .isEqualTo("hi");
        }
    }

    @Test
    void mistakesInABuilderAreReportedTogether() {
        var builder = Bridge.builder()
                .unix("one", Path.of("/a"), Map.of("type", "memory", "retry", "none", "timeout", 5))
                .unix("one", Path.of("/b"))
                .unix("t w o", Path.of("/c"), Map.of("type", "memory", "retry", "none"))
                .unix("three__", Path.of("/d"), Map.of("type", "memory", "retry", "none"))
                .unix("four", Path.of("/e"), Map.of("type", "memory", "retry", "none", "sesions", 2))
                .stdio("five", "tool", "a")
                .options(options());

        assertThatThrownBy(builder::open)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'mcpServers.one.timeout' is 5 but must be a time span")
                .hasMessageContaining("there are two servers 'one'; give one another name")
                .hasMessageContaining("the server 't w o' is named 't-w-o' here")
                .hasMessageContaining("'mcpServers.three__' must be named with 1 to 64 letters")
                .hasMessageContaining("'mcpServers.four.sesions' is not a key here; did you mean 'sessions'?")
                .hasMessageContaining("in 'mcpServers.five': there is no transport 'stdio'")
                .hasMessageNotContainingAny("line 0", "command");
    }

    private Bridge bridge(String... names) {
        var bridge = Bridge.open(BridgeConfiguration.parse("{\"mcpServers\":{}}", Path.of("."), Map.of()), options());
        for (var name : names) {
            bridge.addServer(settings(name));
        }
        return bridge;
    }

    private ServerSettings settings(String name) {
        return ServerSettings.of(name, "memory", Settings.of(Map.of("retry", "none")));
    }

    private BridgeOptions options() {
        return BridgeOptions.DEFAULTS
                .withEnvironment(environment())
                .withTransports(Providers.only(TransportProvider.class, List.of(door.provider)))
                .withStages(Providers.only(CallStageProvider.class, List.of()));
    }

    private Environment environment() {
        return Environment.of(time, Runnable::run, Fakes.NO_LAUNCHER)
                .withVariables(Map.of())
                .withLogger(new RecordingLogger());
    }
}
