package io.mcpbridge.workflow;

import static io.mcpbridge.workflow.FakeServers.ANY;
import static io.mcpbridge.workflow.FakeServers.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures of steps, and what becomes of the run. */
@Timeout(120)
class WorkflowFailureTest {
    private static final String IDEMPOTENT = "{\"idempotentHint\":true}";

    private final FakeServers servers = new FakeServers();

    @Test
    void failedRunListsItsStepsAndRetriesNothing() throws InterruptedException {
        servers.failing("{}", ErrorCode.PROVIDER_CRASHED, Delivery.UNKNOWN, 9);
        var result = servers.run("""
                steps:
                  - {name: a, tool: s.echo}
                  - {name: b, tool: s.fail, dependsOn: [a], onError: retry}
                  - {name: c, tool: s.echo, dependsOn: [b]}
                """);

        assertThat(result.isOk()).isFalse();
        assertThat(result.summary()).isEqualTo("OK: a; FAILED: b (may have run); NOT_RUN: c");
        assertThat(result.failure().orElseThrow().message())
                .contains("step 'b' failed", "it is not tried again", "[OK: a; FAILED: b (may have run); NOT_RUN: c]");
        assertThat(servers.calls).containsExactly("echo", "fail");
        assertThat(result.json().text()).contains("\"delivery\":\"UNKNOWN\"", "\"ok\":false");
    }

    @Test
    void defectOfACallLeavesItInDoubt() throws InterruptedException {
        servers.with("fail", arguments -> {
            throw new IllegalStateException("a defect");
        });

        assertThat(servers.run("steps: [{name: a, tool: s.fail}]").summary()).isEqualTo("FAILED: a (may have run)");
    }

    @Test
    void toolErrorsAreFailures() throws InterruptedException {
        servers.with(
                "bad",
                ANY,
                IDEMPOTENT,
                arguments -> FakeServers.result(
                        "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no such issue\"}]}"));
        var result = servers.run("""
                steps:
                  - {name: a, tool: s.bad, onError: continue}
                  - {name: b, tool: s.echo, params: {text: '${steps.a.text}', bad: '${steps.a.isError}'}}
                  - {name: c, tool: s.bad, onError: retry}
                """);

        assertThat(result.steps().get(1).value().get("structuredContent"))
                .isEqualTo(Map.of("text", "no such issue", "bad", true));
        assertThat(result.steps().get(2).calls()).isEqualTo(3);
        assertThat(result.failure().orElseThrow().message()).contains("step 'c' failed", "no such issue");
    }

    @Test
    void longErrorOfAToolIsCutInMessagesOnly() throws InterruptedException {
        var text = "x".repeat(1 << 20);
        servers.with(
                "bad",
                arguments -> FakeServers.result(
                        "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}".formatted(text)));

        var result = servers.run("steps: [{name: a, tool: s.bad}]");

        assertThat(result.failure().orElseThrow().message()).hasSizeLessThan(2_000);
        assertThat(result.steps().get(0).value()).containsEntry("text", text);
    }

    @Test
    void failedStepsHaveTextAndError() throws InterruptedException {
        servers.failing("{}", ErrorCode.PROVIDER_TIMEOUT, Delivery.UNKNOWN, 9);
        servers.with("bad", arguments -> FakeServers.result("{\"isError\":true,\"content\":[]}"));
        var result = servers.run("""
                steps:
                  - {name: call, tool: s.fail, onError: continue}
                  - {name: tool, tool: s.bad, onError: continue}
                  - {name: each, tool: s.fail, onError: continue, forEach: [1]}
                  - {name: reference, tool: s.fail, onError: continue, params: {x: '${steps.tool.structuredContent}'}}
                result: ['${steps.call.text}', '${steps.tool.error.code}', '${steps.each.text}', '${steps.reference.error.code}']
                """);

        assertThat(result.value())
                .isEqualTo(List.of("it broke", "SERVER_ERROR", "element 1 of 1: it broke", "INVALID_PARAMS"));
    }

    @Test
    void continueIgnoresAFailure() throws InterruptedException {
        servers.failing("{}", ErrorCode.PROVIDER_TIMEOUT, Delivery.UNKNOWN, 9);
        var result = servers.run("""
                steps:
                  - {name: a, tool: s.fail, onError: continue}
                  - {name: b, tool: s.echo, params: {why: '${steps.a.error.code}'}}
                """);

        assertThat(result.isOk()).isTrue();
        assertThat(result.value()).isEqualTo(Map.of("why", "PROVIDER_TIMEOUT"));
    }

    @Test
    void runningStepsFinishAfterAnotherFails() throws InterruptedException {
        var isSlowRunning = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        servers.with("slow", arguments -> {
            isSlowRunning.countDown();
            return Map.of("ended", mayEnd.await(60, TimeUnit.SECONDS));
        });
        servers.with("fail", arguments -> {
            isSlowRunning.await(60, TimeUnit.SECONDS);
            throw failure(ErrorCode.PROVIDER_CRASHED, Delivery.UNKNOWN);
        });
        var context = WorkflowContext.of(Map.of()).withListener(new WorkflowListener() {
            @Override
            public void ended(WorkflowStep step, StepResult result) {
                mayEnd.countDown();
            }
        });
        var result = WorkflowEngine.of(servers).execute(Workflow.parse("""
                steps:
                  - {name: slow, tool: s.slow}
                  - {name: bad, tool: s.fail}
                  - {name: never, tool: s.echo, dependsOn: [slow]}
                """), context);

        assertThat(result.summary()).isEqualTo("OK: slow; FAILED: bad (may have run); NOT_RUN: never");
    }

    @Test
    void removedToolFailsItsStep() throws InterruptedException {
        servers.with("first", arguments -> {
            servers.remove("gone");
            return Map.of();
        });
        servers.with("gone", arguments -> Map.of());
        var result = servers.run("""
                steps:
                  - {name: a, tool: s.first}
                  - {name: b, tool: s.gone, dependsOn: [a], onError: retry}
                """);

        assertThat(result.summary()).isEqualTo("OK: a; FAILED: b");
        assertThat(servers.calls).containsExactly("first", "gone");
    }

    @Test
    void interruptedRunEnds() throws Exception {
        var isRunning = new CountDownLatch(1);
        servers.with("hang", arguments -> {
            isRunning.countDown();
            return Map.of("never", new CompletableFuture<String>().get(60, TimeUnit.SECONDS));
        });
        var ended = new CompletableFuture<Throwable>();
        var thread = new Thread(() -> {
            try {
                servers.run(
                        "steps: [{name: b, tool: s.echo}, {name: a, tool: s.hang, dependsOn: [b]}, {name: c, tool: s.echo, dependsOn: [a]}]");
            } catch (InterruptedException interrupted) {
                ended.complete(interrupted);
            }
        });
        thread.start();
        isRunning.await(30, TimeUnit.SECONDS);
        thread.interrupt();

        assertThat(ended.get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        WorkflowInterruptedException.class,
                        interrupted -> assertThat(interrupted
                                        .result()
                                        .failure()
                                        .orElseThrow()
                                        .code())
                                .isEqualTo(ErrorCode.CANCELLED))
                .hasMessageContaining("[OK: b; FAILED: a (may have run); NOT_RUN: c]");
    }
}
