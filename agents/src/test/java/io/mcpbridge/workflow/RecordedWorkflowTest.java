package io.mcpbridge.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.RecordingAuditSink;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The audit of workflows that a program runs over its own bridge. */
@Timeout(120)
class RecordedWorkflowTest {
    private static final List<RecordingAuditSink> OPENED = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private ToolServer tools;

    /** Opens the sink {@code recording}. */
    public static final class SinkProvider implements AuditSinkProvider {
        @Override
        public Id id() {
            return new Id("recording", SPI_VERSION);
        }

        @Override
        public AuditSink open(Settings settings, Environment environment) {
            if (settings.has("cannotOpen")) {
                throw ConfigurationException.of("another process uses the audit folder");
            }
            var sink = new RecordingAuditSink();
            if (settings.has("fails")) {
                sink.failing(new IllegalStateException("no space"));
            }
            OPENED.add(sink);
            return sink;
        }

        @Override
        public void check(Settings settings) {}
    }

    @BeforeEach
    void serve() throws InterruptedException {
        OPENED.clear();
        tools = ToolServer.create(ToolServerOptions.builder()
                .version("1.0")
                .listen(
                        "unix",
                        Settings.of(Map.of("path", folder.resolve("tools.sock").toString())))
                .withoutGlobalHandlers()
                .build());
        tools.registerTool("read", ToolConfig.of(FakeServers.ANY), call -> call.arguments());
        tools.start();
    }

    @AfterEach
    void stop() {
        tools.close();
    }

    private WorkflowResult run(String audit, String yaml) throws InterruptedException {
        var json = """
                {"mcpServers": {"s": {"type": "unix", "path": "%s/tools.sock", "retry": "none"}}, "bridge": {"audit": %s}}
                """.formatted(folder, audit);
        try (var bridge = Bridge.open(
                BridgeConfiguration.parse(json, folder, Map.of()), BridgeOptions.DEFAULTS.withoutSchemaCheck())) {
            return WorkflowEngine.of(bridge).execute(Workflow.parse(yaml), Map.of());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"best-effort", "required"})
    void stepsAreRecordedInTheTraceOfTheRun(String mode) throws InterruptedException {
        var result = run("{\"sink\": \"recording\", \"mode\": \"%s\"}".formatted(mode), """
                steps:
                  - {name: first, tool: s.read, params: {n: 1}}
                  - {name: second, tool: s.read, params: {n: 2}, dependsOn: [first], timeout: 60s}
                """);

        assertThat(result.isOk()).isTrue();
        var sink = OPENED.get(0);
        assertThat(sink.isClosed()).isTrue();
        assertThat(sink.enters())
                .extracting(
                        enter -> enter.call().server(),
                        enter -> enter.call().tool(),
                        enter -> enter.arguments(),
                        enter -> enter.call().principal().name(),
                        enter -> enter.call().trace().traceId())
                .containsExactly(
                        tuple("s", "read", "{\"n\":1}", "java", result.trace().traceId()),
                        tuple("s", "read", "{\"n\":2}", "java", result.trace().traceId()));
        assertThat(sink.enters().get(0).call().definition()).contains("\"read\"");
        assertThat(sink.exits()).hasSize(2).allMatch(exit -> exit.attempts() == 1);
    }

    @Test
    void stepThatMustBeRecordedAndCannotIsNotSent() throws InterruptedException {
        var result = run(
                "{\"sink\": \"recording\", \"mode\": \"required\", \"fails\": true}",
                "steps: [{name: a, tool: s.read}]");

        assertThat(result.failure().orElseThrow().message()).contains("the audit that it requires cannot record it");
        assertThat(result.summary()).isEqualTo("FAILED: a");
    }

    @ParameterizedTest
    @CsvSource({"best-effort, true", "required, false"})
    void auditThatCannotBeOpenedStopsOnlyCallsThatRequireIt(String mode, boolean isOk) throws InterruptedException {
        var result = run(
                "{\"sink\": \"recording\", \"mode\": \"%s\", \"cannotOpen\": true}".formatted(mode),
                "steps: [{name: a, tool: s.read}]");

        assertThat(result.isOk()).isEqualTo(isOk);
    }

    @Test
    void nothingIsRecordedWithAnAuditThatIsOff() throws InterruptedException {
        assertThat(run("{\"sink\": \"recording\", \"mode\": \"off\"}", "steps: [{name: a, tool: s.read}]")
                        .isOk())
                .isTrue();
        assertThat(OPENED).isEmpty();
    }
}
