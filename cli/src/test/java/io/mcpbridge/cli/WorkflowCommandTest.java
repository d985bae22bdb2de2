package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.ElicitationHandler.ElicitRequest;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.Json;
import io.mcpbridge.workflow.Workflow;
import io.mcpbridge.workflow.WorkflowEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workflows over a daemon with an audit trail and a server. */
@Timeout(120)
class WorkflowCommandTest {
    private static final ToolConfig ANY = ToolConfig.of("{\"type\":\"object\"}").inParallel();

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch isHeld = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @TempDir
    private Path folder;

    private ToolServer server;
    private Daemon daemon;

    /** Closes the daemon once, also for a second thread, which waits for it. */
    private FutureTask<Boolean> closing;

    @BeforeEach
    void open() throws InterruptedException {
        server = ToolServer.create(ToolServerOptions.builder()
                .version("1.0")
                .listen(
                        "unix",
                        Settings.of(Map.of("path", folder.resolve("s.sock").toString())))
                .withoutGlobalHandlers()
                .build());
        server.registerTool("echo", ANY, call -> {
            calls.add("echo");
            return call.arguments();
        });
        server.registerTool("fail", ANY, call -> {
            calls.add("fail");
            throw new IllegalStateException("no disk");
        });
        server.registerTool("stop", ANY, call -> {
            calls.add("stop");
            // The end of the daemon cancels this call, whose interrupt would shorten the end of the audit trail.
            new Thread(closing, "test-stop").start();
            return closing.get();
        });
        server.registerTool("hold", ANY, call -> {
            isHeld.countDown();
            mayEnd.await();
            return "held";
        });
        server.registerTool("late", ANY, call -> {
            calls.add("late");
            mayEnd.await();
            return "late";
        });
        server.start();
        var json = """
            {"mcpServers": {
               "s": {"type": "unix", "path": "%1$s/s.sock"},
               "brief": {"type": "unix", "path": "%1$s/s.sock", "tools": {"hold": {"timeout": "2s"}}},
               "single": {"type": "unix", "path": "%1$s/s.sock", "concurrency": {"max": 1, "queue": 0}}},
             "bridge": {"listen": {"unix": {"path": "%2$s"}}, "audit": {"sink": "file", "path": "%1$s/audit"}}}
            """.formatted(folder, socket());
        daemon = Daemon.start(configuration(json), DaemonOptions.DEFAULTS);
        closing = new FutureTask<>(daemon::close, true);
    }

    private BridgeConfiguration configuration(String json) {
        return BridgeConfiguration.parse(json, folder, Map.of());
    }

    private String socket() {
        return folder.resolve("d").resolve("bridge.sock").toString();
    }

    @AfterEach
    void close() throws Exception {
        mayEnd.countDown();
        closing.run();
        closing.get(60, TimeUnit.SECONDS);
        server.close();
    }

    private RunCommand run(String yaml, String... more) throws IOException {
        return runAt(socket(), yaml, more);
    }

    private RunCommand runAt(String daemonSocket, String yaml, String... more) throws IOException {
        var file = Files.writeString(folder.resolve("flow.yaml"), yaml);
        var words = new ArrayList<>(List.of("run", file.toString(), "--mcp-bridge-socket", daemonSocket));
        words.addAll(List.of(more));
        return RunCommand.of(words.toArray(String[]::new));
    }

    @Test
    void resultIsPrintedAndTheRunIsOneTraceInTheAudit() throws IOException {
        var run = run("""
                steps:
                  - {name: a, tool: s.echo, params: {n: '${context.n}'}}
                  - {name: b, tool: s.echo, params: {m: '${steps.a.structuredContent.data.n}'}}
                """, "{\"n\": 5}", "--json");

        assertThat(run.exitCode()).isZero();
        var result = Json.parse(run.out()).asMap();
        assertThat(String.valueOf(result.get("result"))).contains("{m=5}");
        var trail = folder.resolve("audit").toString();
        var trace = String.valueOf(result.get("traceId"));
        assertThat(RunCommand.of("audit", "tail", "--dir", trail, "--trace", trace)
                        .out()
                        .lines()
                        .filter(line -> line.contains("s.echo")))
                .hasSize(2);
        assertThat(RunCommand.of("audit", "tail", "--dir", trail, "--trace", "0".repeat(32))
                        .out())
                .doesNotContain("s.echo");
    }

    @Test
    void dryRunShowsThePlanAndCallsNothing() throws IOException {
        var run = run("""
                steps:
                  - {name: a, tool: s.echo}
                  - {name: b, tool: s.fail, dependsOn: [a]}
                """, "--dry-run");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("STEP", "s.fail", "no tool was called");
        assertThat(calls).isEmpty();
    }

    @Test
    void dryRunChecksTheContext() throws IOException {
        var run = run("steps: [{name: a, tool: s.echo, params: {n: '${context.n}'}}]", "{\"m\": 1}", "--dry-run");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("the context has no 'n'");
    }

    @Test
    void mistakesExitWith2() throws IOException {
        var wrongTools = run("""
                steps:
                  - {name: a, tool: s.ehco}
                  - {name: b, tool: t.echo}
                """, "--dry-run");

        assertThat(wrongTools.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(wrongTools.err()).contains("did you mean 's.echo'?", "step 'b'", "'t'");
        assertThat(run("steps: 5").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run("steps: [{name: a, tool: s.echo}]", "[]").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(calls).isEmpty();
    }

    @Test
    void failedStepExitsWith1AndListsTheSteps() throws IOException {
        var run = run("""
                steps:
                  - {name: a, tool: s.echo}
                  - {name: b, tool: s.fail, dependsOn: [a]}
                  - {name: c, tool: s.echo, dependsOn: [b]}
                """);

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.err()).contains("step 'b' failed", "no disk", "[OK: a; FAILED: b; NOT_RUN: c]", "trace ");
        assertThat(run.out()).isEmpty();
        assertThat(calls).containsExactly("echo", "fail");
    }

    @Test
    void callThatMayHaveRunBehindTheDaemonIsReportedAndNotRepeated() throws IOException {
        var run = run("steps: [{name: a, tool: brief.hold, onError: retry}]", "--json");

        assertThat(run.err()).contains("FAILED: a (may have run)");
        assertThat(run.out()).contains("\"calls\":1", "\"code\":\"IN_DOUBT\"", "\"delivery\":\"UNKNOWN\"");
        assertThat(run.exitCode()).isEqualTo(ExitCode.TIMED_OUT);
    }

    @Test
    void callThatTheDaemonDidNotSendIsRetried() throws Exception {
        var holding = new FutureTask<>(() -> run("steps: [{name: a, tool: single.hold}]"));
        new Thread(holding).start();
        isHeld.await(60, TimeUnit.SECONDS);

        var rejected = run("steps: [{name: b, tool: single.echo, onError: retry}]", "--json");

        assertThat(rejected.out()).contains("\"calls\":3", "\"delivery\":\"NOT_SENT\"");
        assertThat(calls).isEmpty();
        mayEnd.countDown();
        assertThat(holding.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void signalEndsTheRunWithTheReportOfItsSteps() throws Exception {
        var file = Files.writeString(folder.resolve("flow.yaml"), """
                steps:
                  - {name: a, tool: s.echo}
                  - {name: b, tool: s.hold, dependsOn: [a]}
                  - {name: c, tool: s.echo, dependsOn: [b]}
                """);
        var errors = folder.resolve("errors");
        var printed = folder.resolve("printed");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.mcpbridge.cli.Main",
                        "run",
                        file.toString(),
                        "--json",
                        "--mcp-bridge-socket",
                        socket())
                .redirectError(errors.toFile())
                .redirectOutput(printed.toFile())
                .start();
        isHeld.await(60, TimeUnit.SECONDS);
        process.destroy();

        assertThat(process.waitFor()).isEqualTo(143);
        var json = Files.readString(printed);
        assertThat(Json.parse(json).asMap()).containsEntry("ok", false);
        assertThat(json).contains("\"state\":\"OK\"", "\"state\":\"FAILED\"", "\"state\":\"NOT_RUN\"");
        assertThat(Files.readAllLines(errors))
                .singleElement()
                .asString()
                .contains("interrupted [OK: a; FAILED: b (may have run); NOT_RUN: c]; trace ");
    }

    @Test
    void daemonThatStopsDuringTheRunEndsItWithoutRetries() throws IOException {
        var run = run("""
                steps:
                  - {name: a, tool: s.echo}
                  - {name: b, tool: s.stop, dependsOn: [a], onError: retry}
                  - {name: c, tool: s.echo, dependsOn: [b]}
                """);

        assertThat(run.exitCode()).isNotZero();
        assertThat(run.err()).contains("OK: a; FAILED: b", "NOT_RUN: c");
        assertThat(calls).containsExactly("echo", "stop");
    }

    @Test
    void toolWhoseOwnNameHasTheSeparatorIsCalled() {
        server.registerTool("get__it", ANY, call -> "got it");

        for (var name : List.of("s.get__it", "s__get__it")) {
            assertThat(RunCommand.of("call", name, "--mcp-bridge-socket", socket())
                            .out())
                    .contains("got it");
        }
    }

    @Test
    void serverThatTheDaemonCannotReachIsAFailureOfItsSteps() throws IOException {
        var other = folder.resolve("o").resolve("bridge.sock").toString();
        var json = """
            {"mcpServers": {
               "s": {"type": "unix", "path": "%1$s/s.sock"}, "down": {"type": "unix", "path": "%1$s/none.sock"}},
             "bridge": {"listen": {"unix": {"path": "%2$s"}}}}
            """.formatted(folder, other);
        var yaml = "steps: [{name: a, tool: down.x, onError: %s}, {name: b, tool: s.echo, dependsOn: [a]}]";
        try (var reaching = Daemon.start(configuration(json), DaemonOptions.DEFAULTS)) {
            assertThat(reaching).isNotNull();

            assertThat(runAt(other, yaml.formatted("continue")).exitCode()).isZero();
            assertThat(calls).containsExactly("echo");
            assertThat(runAt(other, yaml.formatted("stop")).exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
            var dry = runAt(other, yaml.formatted("continue"), "--dry-run");
            assertThat(dry.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
            assertThat(calls).hasSize(1);
        }
    }

    @Test
    void timeoutOfAStepBoundsAllAttemptsOfTheBridge() throws InterruptedException {
        var json = """
            {"mcpServers": {"s": {"type": "unix", "path": "%s/s.sock", "retry": "exponential", "retryDelayMs": 1,
               "tools": {"late": {"idempotent": true}}}}}
            """.formatted(folder);
        try (var bridge = Bridge.open(configuration(json), BridgeOptions.DEFAULTS)) {
            var workflow = Workflow.parse("steps: [{name: a, tool: s.late, timeout: 1s}]");

            assertThat(WorkflowEngine.of(bridge)
                            .execute(workflow, Map.of())
                            .failure()
                            .orElseThrow()
                            .code())
                    .isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        }
        // On a slow machine no call comes.
        assertThat(calls).hasSizeLessThan(2);
    }

    @Test
    void missingDaemonExitsWith3() throws IOException {
        daemon.close();

        var run = run("steps: [{name: a, tool: s.echo}]");

        assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
    }

    @Test
    void elicitationWithoutATerminalIsDeclined() throws IOException {
        var run = run("steps: [{name: a, ask: {message: Sure?, schema: {type: object}}}]");

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.err()).contains("'Sure?' was not answered: decline", "there is no terminal");
    }

    @Test
    void formsAreFilledInOnTheTerminal() throws InterruptedException {
        var answers = new ArrayDeque<>(List.of("maybe", "yes", "many", "3", "1.5", "", "text"));
        var shown = new ArrayList<String>();
        var request = new ElicitRequest("s", Json.parse("""
                {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {
                  "ok": {"type": "boolean", "description": "Go on"}, "times": {"type": "integer"},
                  "rate": {"type": "number"}, "skipped": {"type": "string"}, "why": {"type": "string"}}}}
                """));
        var questions = new TerminalQuestions(answers::poll, shown::add);

        assertThat(questions.elicit(request).content().toString()).isEqualTo("{ok=true, times=3, rate=1.5, why=text}");
        assertThat(shown).contains("  must be Go on (yes or no)", "  must be integer");
        assertThat(questions.elicit(request).action()).isEqualTo("cancel");
        assertThat(new TerminalQuestions((TerminalQuestions.Reader) null, shown::add)
                        .elicit(request)
                        .action())
                .isEqualTo("decline");
    }

    @Test
    void requiredFieldIsAskedUntilItHasAValue() throws InterruptedException {
        var answers = new ArrayDeque<>(List.of("", "", "red", "blue"));
        var shown = new ArrayList<String>();
        var request = new ElicitRequest("s", Json.parse("""
                {"message": "Which?", "requestedSchema": {"type": "object", "required": ["colour"], "properties": {
                  "name": {"type": "string"}, "colour": {"type": "string", "enum": ["blue", "green"]}}}}
                """));
        var questions = new TerminalQuestions(answers::poll, shown::add);

        assertThat(questions.elicit(request).content().toString()).isEqualTo("{colour=blue}");
        assertThat(shown)
                .contains("  name: string", "  colour: one of [blue, green], required")
                .filteredOn("  must be one of [blue, green]"::equals)
                .hasSize(2);
    }

    @Test
    void answersKeepTheRulesAndEmptyLinesTakeTheDefaults() throws InterruptedException {
        var answers = new ArrayDeque<>(List.of("9", "3", "x", "abc", "", "", ""));
        var shown = new ArrayList<String>();
        var request = new ElicitRequest("s", Json.parse("""
                {"message": "Which?", "requestedSchema": {"required": ["colour"], "properties": {
                  "size": {"type": "integer", "minimum": 1, "maximum": 5},
                  "code": {"type": "string", "pattern": "^[a-c]+$", "minLength": 2},
                  "colour": {"type": "string", "enum": ["blue", "green"], "default": "green"},
                  "sure": {"type": "boolean", "default": false},
                  "some": {"type": "array", "items": {"type": "string"}, "default": ["a", "b"]}}}}
                """));

        var content =
                new TerminalQuestions(answers::poll, shown::add).elicit(request).content();

        assertThat(content.toString()).isEqualTo("{size=3, code=abc, colour=green, sure=false, some=[a, b]}");
        assertThat(shown)
                .contains("  colour: one of [blue, green], required, default green", "  sure: yes or no, default false")
                .anyMatch(line -> line.startsWith("  must have a maximum value of 5"))
                .anyMatch(line -> line.contains("does not match the regex pattern ^[a-c]+$"));
    }

    @ParameterizedTest
    @CsvSource({"/dev/pts/none, true", "/dev/ttynone, true", "/dev/none, false", "pipe:[1], false"})
    void terminalIsReadWhileOutputIsRedirected(String input, boolean isTerminal) throws IOException {
        var link = Files.createSymbolicLink(folder.resolve("0"), Path.of(input));

        assertThat(TerminalQuestions.reader(null, link) != null).isEqualTo(isTerminal);
        assertThat(TerminalQuestions.reader(null, folder.resolve("none"))).isNull();
    }

    @Test
    void questionWithoutFieldsIsAcceptedOnlyByAYes() throws InterruptedException {
        var answers = new ArrayDeque<>(List.of("", "yes", "no"));
        var questions = new TerminalQuestions(answers::poll, line -> {});
        var request = new ElicitRequest("s", Json.parse("""
                {"message": "Delete all?", "requestedSchema": {"type": "object", "properties": {}}}
                """));

        assertThat(questions.elicit(request).action()).isEqualTo("accept");
        assertThat(questions.elicit(request).action()).isEqualTo("decline");
        assertThat(questions.elicit(request).action()).isEqualTo("cancel");
    }

    @Test
    void listsAndChoicesWithTitlesAreRead() throws InterruptedException {
        var answers = new ArrayDeque<>(List.of("", "red", "a", "b", "", "x, y", "", "", "c", "1"));
        var shown = new ArrayList<String>();
        var request = new ElicitRequest("s", Json.parse("""
                {"message": "Which?", "requestedSchema": {"required": ["some", "none"], "properties": {
                  "some": {"type": "array", "minItems": 1, "items": {"anyOf": [{"const": "a", "title": "Ay"}, {"const": "b"}]}},
                  "texts": {"type": "array", "items": {"type": "string"}},
                  "none": {"type": "array", "items": {"type": "string", "enum": ["a"]}},
                  "one": {"type": "string", "oneOf": [{"const": "1", "title": "First"}]}}}}
                """));

        var content =
                new TerminalQuestions(answers::poll, shown::add).elicit(request).content();

        assertThat(content.toString()).isEqualTo("{some=[a, b], texts=[x, y], none=[], one=1}");
        assertThat(content.get("texts")).isEqualTo(List.of("x, y"));
        assertThat(shown)
                .contains(
                        "  some: one of [a (Ay), b], one a line, ended by an empty line, required",
                        "  one: one of [1 (First)]")
                .filteredOn(line -> line.startsWith("  must be"))
                .hasSize(3);
    }

    @Test
    void questionAfterAWithdrawnOneIsAnswered() throws Exception {
        var typed = new CompletableFuture<String>();
        var isReading = new CountDownLatch(1);
        var shown = new CopyOnWriteArrayList<String>();
        var questions = new TerminalQuestions(
                () -> {
                    isReading.countDown();
                    return typed.join();
                },
                shown::add);
        var request = new ElicitRequest("", Json.parse("""
                {"message": "Sure?", "requestedSchema": {"properties": {"ok": {"type": "boolean"}}}}
                """));
        var withdrawn = new FutureTask<>(() -> questions.elicit(request));
        var first = new Thread(withdrawn);
        first.start();
        isReading.await(60, TimeUnit.SECONDS);
        first.interrupt();
        assertThatThrownBy(() -> withdrawn.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);

        var answer = new FutureTask<>(() -> questions.elicit(request));
        new Thread(answer).start();
        await().atMost(Duration.ofSeconds(60)).until(() -> shown.size() == 5);
        typed.complete("yes");

        assertThat(answer.get(60, TimeUnit.SECONDS).content()).containsEntry("ok", true);
        assertThat(shown).contains("  no longer asked");
    }
}
