package io.mcpbridge.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.agents.ModelFormat;
import io.mcpbridge.agents.ModelProvider;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.StageFixture;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.Prompt;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples against the demonstration's server, a child process. */
@Timeout(60)
class ExamplesTest {
    private static final List<String> SERVER = command("io.mcpbridge.cli.Main", "demo-server");

    private static List<String> command(String... program) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(program));
        return command;
    }

    @Test
    void childServerIsCalled() throws InterruptedException {
        assertThat(OneServer.echo(SERVER, "hello")).isEqualTo("hello");
    }

    @Test
    void failuresAreDistinguishedByType() throws InterruptedException {
        try (var server = Connection.toCommand(SERVER, ConnectionOptions.DEFAULTS)) {
            assertThat(OneServer.withTimeout(server)).isEqualTo("hello");
        }
    }

    @Test
    void resultBecomesARecord() throws InterruptedException {
        try (var server = Connection.toCommand(SERVER, ConnectionOptions.DEFAULTS)) {
            assertThat(OneServer.origin(server)).isEqualTo("stdio");
        }
    }

    @Test
    void serversOfAFileAreCalled(@TempDir Path folder) throws IOException, InterruptedException {
        assertThat(ManyServers.echo(configuration(folder), "hello")).isEqualTo("hello");
    }

    @Test
    void serversNamedInCodeAreCalled(@TempDir Path folder) throws IOException, InterruptedException {
        var program = Files.writeString(folder.resolve("demo.sh"), "exec '%s'".formatted(String.join("' '", SERVER)));

        assertThat(ManyServers.withoutFile("sh", program.toString(), URI.create("http://localhost:1/mcp")))
                .isEqualTo("hello");
    }

    @Test
    void callsRunInParallel(@TempDir Path folder) throws IOException {
        try (var bridge = Bridge.open(configuration(folder), BridgeOptions.DEFAULTS)) {
            assertThat(ManyServers.inParallel(bridge, List.of("one", "two", "three")))
                    .containsExactly("one", "two", "three");
        }
    }

    @Test
    void workflowRunsAndIsServed(@TempDir Path folder) throws IOException, InterruptedException {
        var file = Files.writeString(folder.resolve("flow.yaml"), """
                name: twice
                steps:
                  - {name: first, tool: demo.echo, params: {message: hello}}
                  - {name: second, tool: demo.echo, params: {message: '${steps.first.text}'}}
                result: ${steps.second.text}
                """);
        var options = ToolServerOptions.builder()
                .version("1.0")
                .listen(
                        "unix",
                        Settings.of(Map.of("path", folder.resolve("s.sock").toString())))
                .withoutGlobalHandlers()
                .build();
        try (var bridge = Bridge.open(configuration(folder));
                var server = ToolServer.create(options)) {
            assertThat(Workflows.run(bridge, file).value()).isEqualTo("hello");

            Workflows.serve(bridge, file, server);
            server.start();
            try (var client = Connection.to(server.addresses().get(0))) {
                assertThat(client.callTool("twice", Map.of()).text()).isEqualTo("{\"ok\":true,\"data\":\"hello\"}");
            }
        }
    }

    @Test
    void modelCallsAToolAndAnswers(@TempDir Path folder) throws IOException, InterruptedException {
        var responses = new ArrayDeque<>(List.of(
                "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":"
                        + "{\"name\":\"demo__echo\",\"arguments\":\"{\\\"message\\\":\\\"hello\\\"}\"}}]}",
                "{\"role\":\"assistant\",\"content\":\"done\"}"));
        var requests = new ArrayList<String>();
        var provider = new ModelProvider(ModelFormat.OPENAI, request -> {
            requests.add(request.body().text());
            return Json.parse("{\"choices\":[{\"message\":%s}]}".formatted(responses.remove()));
        });

        assertThat(ModelAgent.run(configuration(folder), "Say hello.", provider))
                .isEqualTo("done");

        assertThat(requests.get(1)).contains("\"content\":\"hello\"");
    }

    @Test
    void programRunsTheCallsOfAResponse(@TempDir Path folder) throws IOException, InterruptedException {
        var response = Json.parse("{\"content\":[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"demo__echo\","
                + "\"input\":{\"message\":\"hello\"}}]}");
        try (var bridge = Bridge.open(configuration(folder), BridgeOptions.DEFAULTS)) {
            assertThat(ModelAgent.answer(bridge, response))
                    .singleElement()
                    .asString()
                    .contains("\"tool_use_id\":\"1\"", "hello");
        }
    }

    @Test
    void clientOfTheOfficialSdkCallsAConfiguredServer(@TempDir Path folder) throws IOException {
        assertThat(OfficialSdk.call(configuration(folder)).content())
                .first()
                .isInstanceOfSatisfying(
                        McpSchema.TextContent.class,
                        block -> assertThat(block.text()).isEqualTo("hello"));
    }

    @Test
    void serverOfTheOfficialSdkListensOnASocket(@TempDir Path folder) throws InterruptedException {
        var tool = SyncToolSpecification.builder()
                .tool(McpSchema.Tool.builder("greet", Map.of("type", "object")).build())
                .callHandler((exchange, request) -> McpSchema.CallToolResult.builder()
                        .addTextContent("Hello!")
                        .build())
                .build();
        var server = OfficialSdk.serve(folder.resolve("tools"), tool);
        try (var client = Connection.to(URI.create("unix:" + folder.resolve("tools")))) {
            assertThat(client.callTool("greet", Map.of()).text()).isEqualTo("Hello!");
        } finally {
            server.close();
        }
    }

    @Test
    void callWithALostAnswerHasRun() throws InterruptedException {
        assertThat(LostAnswer.executions()).isEqualTo(1);
    }

    @Test
    void exitCodeOfAFaultyChildIsReported() throws InterruptedException {
        assertThat(LostAnswer.endOfAChild()).contains("exit code 7");
    }

    @Test
    void stageCountsFailures() {
        var stage = new CountingStage(new LongAdder(), new LongAdder());
        var failed = Outcome.failed(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "down"));

        StageFixture.send(stage, new StageFixture().tool(), call -> call.complete(failed));

        assertThat(stage.failures().sum()).isEqualTo(1);
    }

    @Test
    void promptsAreListed(@TempDir Path folder) throws IOException, InterruptedException {
        var configuration = BridgeConfiguration.read(configuration(folder), Map.of());

        assertThat(ManyServers.promptsOf("demo", configuration)).isNotNull();
    }

    @Test
    void toolsAreServedOnStandardStreams() throws InterruptedException {
        var options =
                ConnectionOptions.DEFAULTS.withElicitationHandler(request -> ElicitResult.accept(Map.of("sure", true)));
        try (var client = Connection.toCommand(command(ServedTools.class.getName()), options)) {
            assertThat(client.callTool("echo", Map.of("message", "hi")).text())
                    .isEqualTo("{\"ok\":true,\"data\":\"hi\"}");
            assertThat(client.callTool("greet", Map.of("name", "Ada", "times", 2))
                            .text())
                    .contains("Hello, Ada!!");
            assertThat(client.callTool("add_up", Map.of("terms", List.of(1, 2.5)))
                            .text())
                    .contains("\"data\":3.5");
            assertThat(client.callTool("erase", Map.of()).text()).contains("erased");
            assertThat(client.callTool("forecast", Map.of("place", "Ada")).text())
                    .contains("\"degrees\":21");
            assertThat(client.callTool("chart", Map.of("place", "Ada")).blocks())
                    .singleElement()
                    .isInstanceOf(Content.Image.class);
            assertThat(client.server().readResource("notes:/today").text()).isEqualTo("Buy milk.");
            assertThat(client.server().getPrompt("review", Map.of("code", "x")).messages())
                    .containsExactly(new Prompt.Message("user", new Content.Text("Review x")));
        }
    }

    @Test
    void toolsAreServedOverHttpWithAToken() throws InterruptedException {
        var token = "a-token-for-alice-only";
        var options = ConnectionOptions.DEFAULTS.with("headers", Map.of("Authorization", "Bearer " + token));
        try (var server = ServedTools.overHttp(token);
                var client = Connection.to(server.addresses().get(0), options)) {
            assertThat(client.callTool("greet", Map.of("name", "Ada")).text()).contains("Hello, Ada!");
            assertThatThrownBy(() -> Connection.to(server.addresses().get(0))).hasMessageContaining("401");
        }
    }

    @Test
    void toolsAreServedOnASocket(@TempDir Path folder) throws InterruptedException {
        var socket = folder.resolve("s.sock");
        try (var server = ServedTools.onASocket(socket);
                var client = Connection.to(server.addresses().get(0))) {
            assertThat(client.callTool("greet", Map.of("name", "Ada")).text()).contains("Hello, Ada!");
            assertThat(client.listTools()).noneMatch(tool -> tool.name().equals("erase"));
        }
    }

    @Test
    void callsOfServedToolsAreAudited(@TempDir Path folder) throws IOException, InterruptedException {
        var trail = folder.resolve("trail");

        assertThat(AuditedTools.call(trail, folder.resolve("s.sock"))).isEqualTo("{\"ok\":true,\"data\":\"Hello!\"}");

        var report = AuditedTools.verify(trail);
        assertThat(report.holds()).isTrue();
        assertThat(report.records()).isEqualTo(2);
        assertThat(report.uncovered()).isZero();
    }

    @Test
    void endlessSandboxedToolTimesOut() throws InterruptedException {
        try (var client =
                Connection.toCommand(command(SandboxedToolExample.class.getName()), ConnectionOptions.DEFAULTS)) {
            assertThat(matches(client, "aaa", "a+")).isEqualTo("{\"ok\":true,\"data\":true}");
            assertThat(matches(client, "a".repeat(100), "(.*)".repeat(12) + "b"))
                    .contains("HANDLER_ERROR", "'matches' timed out", "PROVIDER_TIMEOUT");
            assertThat(matches(client, "b", "a+")).isEqualTo("{\"ok\":true,\"data\":false}");
        }
    }

    private static String matches(Connection client, String text, String pattern) throws InterruptedException {
        return client.callTool("matches", Map.of("text", text, "pattern", pattern))
                .text();
    }

    private static Path configuration(Path folder) throws IOException {
        var server = Map.of("command", SERVER.get(0), "args", SERVER.subList(1, SERVER.size()));
        return Files.writeString(
                folder.resolve("mcp.json"),
                Json.of(Map.of("mcpServers", Map.of("demo", server))).text());
    }
}
