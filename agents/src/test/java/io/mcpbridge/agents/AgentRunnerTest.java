package io.mcpbridge.agents;

import static io.mcpbridge.agents.ScriptedModel.use;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.ServerStatus.State;
import io.mcpbridge.agents.AgentResult.Call;
import io.mcpbridge.agents.AgentResult.Stop;
import io.mcpbridge.agents.MessageFormat.ToolUse;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.server.ServerMode;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.Script;
import io.mcpbridge.testkit.ScriptedServer;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The loop of an agent: with scripted models, and with a real bridge and server. */
@Timeout(120)
class AgentRunnerTest {
    private static final String PROMPT = "Do it.";

    private final RecordingTools source = new RecordingTools().tool("s", "t");

    @ParameterizedTest
    @EnumSource
    void modelReadsTheResultsOfItsCalls(ModelFormat format) throws InterruptedException {
        var model = ScriptedModel.of(format)
                .calls(use("a", "s__t", "{\"n\":1}"), use("b", "nothing", "{}"))
                .says("All done.");
        var runner = AgentRunner.of(source);

        var result = runner.execute(PROMPT, runner.loadTools(List.of("s")), model.provider(), "m");

        assertThat(result.text()).isEqualTo("All done.");
        assertThat(result.stop()).isEqualTo(Stop.ANSWERED);
        assertThat(result.rounds()).isEqualTo(2);
        assertThat(result.calls().get(0)).isEqualTo(new Call("s.t", "{\"n\":1}", "t done", false));
        assertThat(result.calls().get(1).tool()).isEqualTo("nothing");
        assertThat(result.calls().get(1).isError()).isTrue();
        assertThat(model.requests().get(0).text()).contains(PROMPT, "s__t").doesNotContain("t done");
        var second = model.requests().get(1).text();
        assertThat(second).contains(PROMPT, "t done", "There is no tool 'nothing'");
        assertThat(second.indexOf("t done")).isLessThan(second.indexOf("There is no tool"));
    }

    @Test
    void endlessLoopEndsAfterMaxRoundsWithoutTheLastCalls() throws InterruptedException {
        var model = ScriptedModel.of(ModelFormat.OPENAI).calls(use("a", "s__t", "{}"));
        var runner = AgentRunner.of(source).withSettings(AgentSettings.DEFAULTS.withMaxRounds(5));

        var result = runner.execute(PROMPT, runner.loadTools(List.of("s")), model.provider(), "m");

        assertThat(result.stop()).isEqualTo(Stop.MAX_ROUNDS);
        assertThat(model.requests()).hasSize(5);
        assertThat(result.calls()).hasSize(4);
        assertThat(source.calls()).hasSize(4);
    }

    @Test
    void callsOverTheLimitDoNotRun() throws InterruptedException {
        var uses = IntStream.range(0, 200)
                .mapToObj(n -> use("id" + n, "s__t", "{\"n\":%d}".formatted(n)))
                .toList();
        var model = ScriptedModel.of(ModelFormat.ANTHROPIC).calls(uses);
        var runner = AgentRunner.of(source);

        var result = runner.execute(PROMPT, runner.loadTools(List.of("s")), model.provider(), "m");

        assertThat(result.stop()).isEqualTo(Stop.MAX_CALLS);
        assertThat(result.calls().stream().map(Call::arguments))
                .containsExactlyElementsOf(
                        uses.subList(0, 100).stream().map(ToolUse::arguments).toList());
        assertThat(source.calls()).hasSize(100);
    }

    @Test
    void timeoutCancelsARunningCall() throws InterruptedException {
        var call = new CompletableFuture<ToolResult>();
        source.answering((tool, arguments) -> call);
        var model = ScriptedModel.of(ModelFormat.GEMINI).calls(use("a", "s__t", "{}"));
        var runner = AgentRunner.of(source).withSettings(AgentSettings.DEFAULTS.withTimeout(Duration.ofSeconds(1)));

        var result = runner.execute(PROMPT, runner.loadTools(List.of("s")), model.provider(), "m");

        assertThat(result.stop()).isEqualTo(Stop.TIMEOUT);
        assertThat(call).isCancelled();
    }

    @Test
    void interruptCancelsARunningCall() {
        var call = new CompletableFuture<ToolResult>();
        var runner = AgentRunner.of(source.answering((tool, arguments) -> {
            Thread.currentThread().interrupt();
            return call;
        }));
        var model = ScriptedModel.of(ModelFormat.OPENAI).calls(use("a", "s__t", "{}"));

        assertThatThrownBy(() -> runner.execute(PROMPT, runner.loadTools(List.of("s")), model.provider(), "m"))
                .isInstanceOf(InterruptedException.class);

        assertThat(call).isCancelled();
    }

    @Test
    void truncatedAnswerIsReported() throws InterruptedException {
        var model = ScriptedModel.of(ModelFormat.ANTHROPIC)
                .responds("{\"content\":[{\"type\":\"text\",\"text\":\"On\"}],\"stop_reason\":\"max_tokens\"}");
        var runner = AgentRunner.of(source).withSettings(AgentSettings.DEFAULTS.withMaxTokens(7));

        var result = runner.execute(PROMPT, runner.loadTools(List.of()), model.provider(), "m");

        assertThat(result.stop()).isEqualTo(Stop.CUT_OFF);
        assertThat(result.cutOff()).isEqualTo("max_tokens");
        assertThat(model.requests().get(0).text()).contains("\"max_tokens\":7").doesNotContain("\"tools\"");
    }

    @Test
    void callsOfATruncatedAnswerDoNotRun() throws InterruptedException {
        var model = ScriptedModel.of(ModelFormat.ANTHROPIC)
                .responds("{\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"s__t\",\"input\":{}}],"
                        + "\"stop_reason\":\"max_tokens\"}");
        var runner = AgentRunner.of(source);

        var result = runner.execute(PROMPT, runner.loadTools(List.of("s")), model.provider(), "m");

        assertThat(result.stop()).isEqualTo(Stop.CUT_OFF);
        assertThat(result.calls()).isEmpty();
    }

    @Test
    void differentCallsWithOneIdBothRun() throws InterruptedException {
        var model = ScriptedModel.of(ModelFormat.OPENAI)
                .calls(use("a", "s__t", "{\"n\":1}"), use("a", "s__t", "{\"n\":2}"))
                .says("done");
        var runner = AgentRunner.of(source);

        var result = runner.execute(PROMPT, runner.loadTools(List.of("s")), model.provider(), "m");

        assertThat(result.calls()).extracting(AgentResult.Call::arguments).containsExactly("{\"n\":1}", "{\"n\":2}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "{\"choices\":[]}", "{\"error\":{\"message\":\"busy\"}}"})
    void responseWithoutAMessageIsAProtocolError(String body) throws InterruptedException {
        var runner = AgentRunner.of(source);
        var tools = runner.loadTools(List.of("s"));

        for (var format : ModelFormat.values()) {
            var provider = ScriptedModel.of(format).responds(body).provider();
            assertThatThrownBy(() -> runner.execute(PROMPT, tools, provider, "m"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("the response of the model has no '")
                    .hasMessageContaining(body);
        }
    }

    @Test
    void listenerSeesEachCallStartAndEnd() throws InterruptedException {
        var seen = Collections.synchronizedList(new ArrayList<String>());
        var runner = AgentRunner.of(source).withListener(new AgentListener() {
            @Override
            public void started(String tool, String arguments) {
                seen.add("start " + tool + arguments);
            }

            @Override
            public void ended(Call call) {
                seen.add("end " + call.tool() + " " + call.text());
            }
        });
        var model = ScriptedModel.of(ModelFormat.OPENAI)
                .calls(use("a", "s__t", "{}"))
                .says("ok");

        runner.execute(PROMPT, runner.loadTools(List.of("s")), model.provider(), "m");

        assertThat(seen).containsExactly("start s.t{}", "end s.t t done");
    }

    @Test
    void listenerAndBoundsAreThoseOfTheRunnerThatExecutes() throws InterruptedException {
        var seen = Collections.synchronizedList(new ArrayList<Call>());
        var model = ScriptedModel.of(ModelFormat.OPENAI)
                .calls(use("a", "s__t", "{}"))
                .says("ok");
        var loading = AgentRunner.of(source.returning("{\"structuredContent\":{\"n\":1}}"));
        var executing = loading.withSettings(new AgentSettings(20, 100, Duration.ofMinutes(10), 8, 2, 4_096))
                .withListener(new AgentListener() {
                    @Override
                    public void ended(Call call) {
                        seen.add(call);
                    }
                });

        var result = executing.execute(PROMPT, loading.loadTools(List.of("s")), model.provider(), "m");

        assertThat(seen)
                .isEqualTo(result.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.text()).contains("The text is cut here"));
    }

    @Nested
    class WithABridge {
        private final ModelProvider model = ScriptedModel.of(ModelFormat.OPENAI)
                .calls(use("a", "demo__echo", "{\"message\":\"hi\"}"))
                .says("ok")
                .provider();

        private static ToolServer serve(Path socket, String tool) throws InterruptedException {
            var server = ToolServer.create(ToolServerOptions.builder()
                    .version("1")
                    .mode(ServerMode.FULL)
                    .listen("unix", Settings.of(Map.of("path", socket.toString())))
                    .withoutGlobalHandlers()
                    .build());
            server.registerTool(
                    tool,
                    ToolConfig.of("{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},"
                                    + "\"required\":[\"message\"]}")
                            .asReadOnly()
                            .withoutEnvelope(),
                    call -> call.arguments().get("message"));
            server.start();
            return server;
        }

        @Test
        void callReachesTheServer(@TempDir Path folder) throws InterruptedException {
            var socket = folder.resolve("s.sock");
            try (var server = serve(socket, "echo");
                    var bridge = Bridge.builder()
                            .unix("demo", socket, Map.of("retry", "none"))
                            .open()) {
                var runner = AgentRunner.of(bridge);

                var result = runner.execute(PROMPT, runner.loadTools(List.of("demo")), model, "m");

                assertThat(server.addresses()).isNotEmpty();
                assertThat(result.calls()).containsExactly(new Call("demo.echo", "{\"message\":\"hi\"}", "hi", false));
            }
        }

        @Test
        void callOfAMissingToolIsAnErrorMessage(@TempDir Path folder) throws InterruptedException {
            var socket = folder.resolve("s.sock");
            try (var bridge = Bridge.builder()
                    .unix("demo", socket, Map.of("retry", "none", "reconnect-backoff", "50ms"))
                    .open()) {
                var runner = AgentRunner.of(bridge);
                AgentTools tools;
                try (var server = serve(socket, "echo")) {
                    assertThat(server.addresses()).isNotEmpty();
                    tools = runner.loadTools(List.of("demo"));
                }
                Eventually.holds("the loss", () -> bridge.status().get(0).state() == State.DEGRADED);
                try (var server = serve(socket, "other")) {
                    assertThat(server.addresses()).isNotEmpty();
                    Eventually.holds("the return", () -> bridge.status().get(0).state() == State.HEALTHY);

                    var result = runner.execute(PROMPT, tools, model, "m");

                    assertThat(result.text()).isEqualTo("ok");
                    assertThat(result.calls()).singleElement().matches(Call::isError);
                    assertThat(result.calls().get(0).text()).contains("echo").contains("failed");
                }
            }
        }

        @Test
        void callToALostServerMayHaveRun() throws InterruptedException {
            var server = new ScriptedServer()
                    .on(
                            Methods.INITIALIZE,
                            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                    + "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}")
                    .on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}");
            Script lost = (message, wire) -> {
                if (message instanceof Request request && request.method().equals(Methods.TOOLS_CALL)) {
                    wire.cut();
                } else {
                    server.received(message, wire);
                }
            };
            var options = BridgeOptions.DEFAULTS.withTransports(
                    Providers.of(TransportProvider.class, List.of(InMemoryTransportProvider.to(lost))));
            var configuration = BridgeConfiguration.parse(
                    "{\"mcpServers\":{\"demo\":{\"type\":\"memory\",\"retry\":\"none\"}}}", Path.of("."), Map.of());
            try (var bridge = Bridge.open(configuration, options)) {
                var runner = AgentRunner.of(bridge);

                var result = runner.execute(PROMPT, runner.loadTools(List.of("demo")), model, "m");

                assertThat(result.text()).isEqualTo("ok");
                assertThat(result.calls().get(0).text())
                        .endsWith("It is unknown whether the call ran: find out before you call the tool again.");
            }
        }

        @Test
        void callToARemovedServerIsAnErrorMessage(@TempDir Path folder) throws InterruptedException {
            var socket = folder.resolve("s.sock");
            try (var server = serve(socket, "echo");
                    var bridge = Bridge.builder()
                            .unix("demo", socket, Map.of("retry", "none"))
                            .open()) {
                var runner = AgentRunner.of(bridge);
                var tools = runner.loadTools(List.of("demo"));
                assertThat(server.addresses()).isNotEmpty();
                bridge.removeServer("demo");

                var result = runner.execute(PROMPT, tools, model, "m");

                assertThat(result.calls().get(0).text())
                        .contains("there is no server 'demo'")
                        .contains("did not run");
            }
        }

        @Test
        void unknownServerIsRejected() {
            try (var bridge = Bridge.builder().open()) {
                assertThatThrownBy(() -> AgentRunner.of(bridge).loadTools(List.of("demo")))
                        .isInstanceOf(ConfigurationException.class);
            }
        }
    }

    @Test
    void limitBelowOneIsRejected() {
        assertThatThrownBy(() -> AgentSettings.DEFAULTS.withMaxCalls(0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("'max-calls' is 0 but must be at least 1");
    }

    @Test
    void definitionsMatchTheMemberOfTheRequest() throws InterruptedException {
        var model = ScriptedModel.of(ModelFormat.GEMINI).says("ok");
        var runner = AgentRunner.of(source);
        var tools = runner.loadTools(List.of("s"));

        runner.execute(PROMPT, tools, model.provider(), "m");

        assertThat(model.requests().get(0).member("tools").map(Json::text))
                .contains(tools.definitions(ModelFormat.GEMINI).text());
    }
}
