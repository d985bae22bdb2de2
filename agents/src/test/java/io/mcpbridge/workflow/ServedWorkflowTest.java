package io.mcpbridge.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.agents.ToolSource;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.Progress;
import io.mcpbridge.tool.ToolHints;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workflows as tools, over real sockets: a client, the server of the workflow, and the server of its steps. */
@Timeout(120)
class ServedWorkflowTest {
    private static final ToolConfig ANY = ToolConfig.of(FakeServers.ANY);
    private static final ToolHints IDEMPOTENT = new ToolHints(false, false, true, false, ToolHints.Source.SERVER);
    private static final ConnectionOptions OPTIONS = ConnectionOptions.DEFAULTS
            .withRetryPolicy("none")
            .withElicitationHandler(request -> ElicitResult.accept(Map.of("yes", true)));

    private final List<String> traces = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private ToolServer tools;
    private Connection steps;
    private ToolServer served;

    /** The daemon's names of two servers behind one socket. */
    @BeforeEach
    void open() throws InterruptedException {
        tools = server(folder.resolve("tools.sock"));
        tools.registerTool("a__echo", ANY.asReadOnly(), call -> {
            traces.add(call.trace().traceId());
            return call.arguments();
        });
        tools.registerTool("b__write", ANY.inParallel(), call -> {
            traces.add(call.trace().traceId());
            return "written";
        });
        tools.registerTool("b__fail", ANY, call -> {
            throw new IllegalStateException("no disk");
        });
        tools.registerTool("idempotent", ANY.withHints(IDEMPOTENT), call -> {
            traces.add(call.trace().traceId());
            throw new IllegalStateException("no disk");
        });
        tools.start();
        steps = Connection.to(tools.addresses().get(0), OPTIONS);
        served = server(folder.resolve("served.sock"));
    }

    private static ToolServer server(Path socket) {
        return ToolServer.create(ToolServerOptions.builder()
                .version("1.0")
                .listen("unix", Settings.of(Map.of("path", socket.toString())))
                .withoutGlobalHandlers()
                .build());
    }

    @AfterEach
    void close() {
        served.close();
        steps.close();
        tools.close();
    }

    private Connection serve(String... yaml) throws InterruptedException {
        for (var each : yaml) {
            WorkflowEngine.of(ToolSource.of(steps)).serve(Workflow.parse(each), served);
        }
        served.start();
        return Connection.to(served.addresses().get(0), OPTIONS);
    }

    @Test
    void clientRunsAWorkflowAndAnswersItsElicitation() throws InterruptedException {
        try (var client = serve("""
                name: greet
                description: Greets.
                input: {properties: {who: {type: string}}, required: [who]}
                steps:
                  - name: sure
                    ask: {message: Really?, schema: {type: object, properties: {yes: {type: boolean}}}}
                  - {name: echo, tool: a.echo, when: '${steps.sure.structuredContent.yes}', params: {who: '${context.who}'}}
                  - {name: write, tool: b.write, dependsOn: [echo]}
                result: ${steps.echo.structuredContent.data.who}
                """)) {
            var progress = new CopyOnWriteArrayList<Progress>();
            var trace = TraceParent.of("a".repeat(32), "b".repeat(16), "01");
            var options = CallOptions.DEFAULTS.withProgress(progress::add).withTrace(trace);

            assertThat(client.callTool("greet", Map.of("who", "Ada"), options).text())
                    .isEqualTo("{\"ok\":true,\"data\":\"Ada\"}");

            assertThat(traces).containsExactly(trace.traceId(), trace.traceId());
            assertThat(progress).hasSize(3);
            assertThatThrownBy(() -> client.callTool("greet", Map.of())).hasMessageContaining("'who'");
        }
    }

    @Test
    void hintsAreTheWeakestOfTheSteps() throws InterruptedException {
        try (var client = serve(
                "{\"name\": \"reads\", \"steps\": [{\"name\": \"a\", \"tool\": \"a.echo\"}]}",
                "{\"name\": \"writes\", \"steps\": [{\"name\": \"a\", \"tool\": \"a.echo\"}, {\"name\": \"b\", \"tool\": \"b.write\"}]}")) {
            assertThat(hints(client, "reads").readOnly()).isTrue();
            assertThat(hints(client, "reads").destructive()).isFalse();
            assertThat(hints(client, "writes").readOnly()).isFalse();
            assertThat(hints(client, "writes").destructive()).isTrue();
            assertThat(hints(client, "writes").idempotent()).isFalse();
        }
    }

    private static ToolHints hints(Connection client, String tool) throws InterruptedException {
        return client.listTools().stream()
                .filter(each -> each.name().equals(tool))
                .findFirst()
                .orElseThrow()
                .hints();
    }

    @Test
    void failureListsTheStatesOfTheSteps() throws InterruptedException {
        try (var client = serve("""
                name: half
                steps:
                  - {name: first, tool: b.write}
                  - {name: second, tool: b.fail, dependsOn: [first]}
                  - {name: third, tool: b.write, dependsOn: [second]}
                """)) {
            var result = client.callTool("half", Map.of());

            assertThat(result.isError()).isTrue();
            assertThat(result.text()).contains("no disk", "[OK: first; FAILED: second; NOT_RUN: third]");
            assertThat(traces).hasSize(1);
        }
    }

    @Test
    void failureAfterACallThatMayNotRunTwiceIsNotRetryable() throws InterruptedException {
        var servers = new FakeServers().with("busy", arguments -> {
            throw FakeServers.failure(ErrorCode.OVERLOADED, Delivery.NOT_SENT);
        });
        var busy = "name: busy\nsteps: [{name: a, tool: s.busy}]";
        var half = "name: half\nsteps: [{name: a, tool: s.echo}, {name: b, tool: s.busy, dependsOn: [a]}]";
        for (var each : List.of(busy, half)) {
            WorkflowEngine.of(servers).serve(Workflow.parse(each), served);
        }
        try (var client = serve()) {
            assertThat(client.callTool("busy", Map.of()).text()).contains("\"retryable\":true");
            assertThat(client.callTool("half", Map.of()).text()).contains("\"retryable\":false");
        }
    }

    @ParameterizedTest
    @CsvSource({"false, true, 1", "true, false, 3", ", true, 3", ", false, 1"})
    void operatorDecidesOnRetriesBeforeTheServer(@Nullable Boolean isIdempotent, boolean isTrusted, int calls)
            throws InterruptedException {
        var json = """
                {"mcpServers": {"s": {"type": "unix", "path": "%s/tools.sock", "retry": "none", "trusted": %s, "tools": {%s}}}}
                """.formatted(
                        folder,
                        isTrusted,
                        isIdempotent == null ? "" : "\"idempotent\": {\"idempotent\": %s}".formatted(isIdempotent));
        try (var bridge = Bridge.open(
                BridgeConfiguration.parse(json, folder, Map.of()), BridgeOptions.DEFAULTS.withoutSchemaCheck())) {
            var yaml = "steps: [{name: a, tool: s.idempotent, onError: retry}]";

            assertThat(WorkflowEngine.of(bridge)
                            .execute(Workflow.parse(yaml), Map.of())
                            .isOk())
                    .isFalse();
        }
        assertThat(traces).hasSize(calls);
    }

    @Test
    void serverThatStopsDuringTheRunEndsIt() throws InterruptedException {
        tools.registerTool("b__stop", ANY.inParallel(), call -> {
            tools.stop();
            return "stopped";
        });
        var result = WorkflowEngine.of(ToolSource.of(steps)).execute(Workflow.parse("""
                                steps:
                                  - {name: first, tool: b.write}
                                  - {name: second, tool: b.stop, dependsOn: [first], onError: retry}
                                  - {name: third, tool: b.write, dependsOn: [second]}
                                """), Map.of());

        assertThat(result.isOk()).isFalse();
        assertThat(result.summary()).startsWith("OK: first; FAILED: second").endsWith("NOT_RUN: third");
        assertThat(result.steps().get(1).calls()).isEqualTo(1);
        assertThat(traces).hasSize(1);
    }
}
