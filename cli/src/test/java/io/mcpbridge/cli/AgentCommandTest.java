package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.server.ServerMode;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs prompts with a model over HTTP that has a script. */
@Timeout(120)
class AgentCommandTest {
    private final ConcurrentLinkedDeque<String> script = new ConcurrentLinkedDeque<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer model;
    private Path file;

    @BeforeEach
    void listen(@TempDir Path folder) throws IOException {
        model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        model.createContext("/v1/chat/completions", this::answer);
        model.start();
        var url = "http://127.0.0.1:%d/v1".formatted(model.getAddress().getPort());
        file = Files.writeString(
                folder.resolve("client.json"),
                Json.of(Map.of("models", Map.of("local", Map.of("api", "openai", "url", url))))
                        .text());
    }

    @AfterEach
    void close() {
        model.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        var next = script.size() > 1 ? script.remove() : script.getFirst();
        var status = next.startsWith("{") ? 200 : Integer.parseInt(next);
        var bytes = next.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Retry-After", "0");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String calls(String tool, Map<String, ?> arguments) {
        var function = Map.of("name", tool, "arguments", Json.of(arguments).text());
        return message(Map.of(
                "role",
                "assistant",
                "tool_calls",
                List.of(Map.of("id", "1", "type", "function", "function", function))));
    }

    private static String says(String text) {
        return message(Map.of("role", "assistant", "content", text));
    }

    private static String message(Map<String, ?> message) {
        return Json.of(Map.of("choices", List.of(Map.of("message", message)))).text();
    }

    private RunCommand run(String... options) {
        var arguments = new ArrayList<>(List.of("agent", "Say hi.", "--model", "local:m", "--config", file.toString()));
        arguments.addAll(List.of(options));
        return RunCommand.of(arguments.toArray(String[]::new));
    }

    private RunCommand runDirectly(String... options) {
        var all = new ArrayList<>(List.of("--command", RunCommand.SERVER));
        all.addAll(List.of(options));
        return run(all.toArray(String[]::new));
    }

    @Test
    void answerIsPrintedAndEachCallIsShown() {
        script.add(calls("echo", Map.of("message", "hi")));
        script.add(says("It says hi.\u001b[2J"));

        var run = runDirectly();

        assertThat(run.err().lines()).containsExactly("> echo {\"message\":\"hi\"}", "< echo: hi");
        assertThat(run.out()).isEqualTo("It says hi.\\u{1b}[2J" + System.lineSeparator());
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(requests).hasSize(2).first().asString().contains("Say hi.", "\"model\":\"m\"", "\"echo\"");
    }

    @Test
    void emptyAnswerIsReported() {
        script.add(says(""));

        var run = runDirectly();

        assertThat(run.err().lines()).containsExactly("mcp-bridge: the model ended with an empty answer");
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void endlessLoopIsAnError() {
        script.add(calls("nothing\n< faked:", Map.of()));

        var run = runDirectly("--max-rounds", "3");

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.err())
                .contains("< nothing | < faked: failed: There is no tool ")
                .contains("the agent ended after 3 requests to the model; --max-rounds allows more");
        assertThat(requests).hasSize(3);
    }

    @Test
    void tooManyCallsAreAnError() {
        script.add(calls("echo", Map.of("message", "hi")));

        var run = runDirectly("--max-calls", "2");

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.err()).contains("the agent ended after 2 tool calls; --max-calls allows more");
    }

    @Test
    void rejectedApiKeyIsAConfigurationError() {
        script.add("401");

        var run = runDirectly();

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("answered HTTP 401", "check the API key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"429", "500"})
    void modelThatStaysBusyIsAnErrorOfTheModel(String status) {
        script.add(status);

        var run = runDirectly();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.err()).contains("answered HTTP " + status, "; try again later");
        assertThat(requests).hasSize(4);
    }

    @Test
    void answerThatItsApiCutsOffIsAnError() {
        script.add("{\"choices\":[{\"message\":{\"content\":\"On\"},\"finish_reason\":\"content_filter\"}]}");

        var run = runDirectly();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.err()).contains("the model's answer is cut off; its API says 'content_filter'");
    }

    @Test
    void unreachableModelIsAConnectionError() {
        model.stop(0);

        var run = runDirectly();

        assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
        assertThat(run.err()).contains("Cannot reach 'http://127.0.0.1:");
    }

    @Test
    void onlyToolsOfTheSelectedDaemonServersAreOffered(@TempDir Path folder) throws InterruptedException {
        script.add(calls("b__get", Map.of()));
        script.add(says("done"));
        var socket = folder.resolve("s.sock");
        try (var daemon = ToolServer.create(ToolServerOptions.builder()
                .version("1")
                .mode(ServerMode.TEST)
                .listen("unix", Settings.of(Map.of("path", socket.toString())))
                .build())) {
            for (var name : List.of("a__get", "b__get", "b__put")) {
                daemon.registerTool(
                        name, ToolConfig.of("{\"type\":\"object\"}").withoutEnvelope(), call -> "result of " + name);
            }
            daemon.start();

            var run = run("--server", "b", "--mcp-bridge-socket", socket.toString());
            var wrong = run("--server", "bb", "--mcp-bridge-socket", socket.toString());

            assertThat(run.err().lines()).containsExactly("> b.get {}", "< b.get: result of b__get");
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(requests.get(0)).contains("b__get", "b__put").doesNotContain("a__get");
            assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(wrong.err()).contains("no tools of a server 'bb'; did you mean 'b'?");
        }
    }

    @Test
    void modelLearnsFromTheDaemonWhetherACallMayHaveRun(@TempDir Path folder) throws InterruptedException {
        script.add(calls("s__hold", Map.of()));
        script.add(says("done"));
        var mayEnd = new CountDownLatch(1);
        var json = """
            {"mcpServers": {
               "s": {"type": "unix", "path": "%1$s/s.sock", "tools": {"hold": {"timeout": "2s"}}}},
             "bridge": {"listen": {"unix": {"path": "%1$s/b.sock"}}}}
            """.formatted(folder);
        try (var server = ToolServer.create(ToolServerOptions.builder()
                .version("1")
                .mode(ServerMode.TEST)
                .listen("unix", Settings.of(Map.of("path", folder + "/s.sock")))
                .build())) {
            server.registerTool("hold", ToolConfig.of("{\"type\":\"object\"}").inParallel(), call -> {
                mayEnd.await();
                return "held";
            });
            server.start();
            var daemon = Daemon.start(BridgeConfiguration.parse(json, folder, Map.of()), DaemonOptions.DEFAULTS);
            try {
                run("--mcp-bridge-socket", folder + "/b.sock");
            } finally {
                mayEnd.countDown();
                daemon.close();
            }
        }

        assertThat(requests.get(1))
                .contains("the call may have run and is not repeated", "It is unknown whether the call ran");
    }

    @Test
    void commandLineMistakesAreReported() {
        assertThat(RunCommand.of("agent", "x", "--model", "gpt").err()).contains("must be PROVIDER:MODEL");
        assertThat(RunCommand.of("agent", "x", "--model", "no:m").err())
                .contains("there is no provider of models 'no'");
        assertThat(runDirectly("--server", "x").err()).contains("leave it out with --url or --command");
        assertThat(runDirectly("--max-calls", "0").err()).contains("'max-calls' is 0 but must be at least 1");
        assertThat(RunCommand.of("agent", "x").exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
