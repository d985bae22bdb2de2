package io.mcpbridge.workflow;

import static io.mcpbridge.workflow.FakeServers.ANY;
import static io.mcpbridge.workflow.FakeServers.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.ElicitationHandler.ElicitRequest;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.workflow.StepResult.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of workflows over servers of the test. */
@Timeout(120)
class WorkflowRunTest {
    private static final String IDEMPOTENT = "{\"idempotentHint\":true}";

    private final FakeServers servers = new FakeServers();

    private WorkflowResult run(String yaml) throws InterruptedException {
        return run(yaml, Map.of());
    }

    private WorkflowResult run(String yaml, Map<String, ?> context) throws InterruptedException {
        return WorkflowEngine.of(servers).execute(Workflow.parse(yaml), context);
    }

    private static State state(WorkflowResult result, String step) {
        return result.steps().stream()
                .filter(each -> each.step().equals(step))
                .findFirst()
                .orElseThrow()
                .state();
    }

    @Nested
    class Values {

        @Test
        void referencesKeepTheTypesOfValues() throws InterruptedException {
            servers.with(
                    "issue",
                    arguments -> Map.of(
                            "number",
                            42,
                            "open",
                            true,
                            "labels",
                            List.of("a", "b"),
                            "a.b",
                            "dots",
                            "author",
                            Map.of("id", 7)));
            var result = run("""
                    steps:
                      - {name: issue, tool: s.issue}
                      - name: all
                        tool: s.echo
                        params:
                          number: ${steps.issue.structuredContent.number}
                          open: ${steps.issue.structuredContent.open}
                          label: ${steps.issue.structuredContent.labels.1}
                          labels: ${steps.issue.structuredContent.labels}
                          nested: [{deep: '${steps.issue.structuredContent.author.id}'}]
                          dots: ${/steps/issue/structuredContent/a.b}
                          text: ${steps.issue.text}
                          literal: cost of $${x}
                    """);

            assertThat(result.isOk()).isTrue();
            assertThat(result.resultJson().asMap())
                    .containsEntry("number", 42L)
                    .containsEntry("open", true)
                    .containsEntry("label", "b")
                    .containsEntry("labels", List.of("a", "b"))
                    .containsEntry("nested", List.of(Map.of("deep", 7L)))
                    .containsEntry("dots", "dots")
                    .containsEntry("text", "said")
                    .containsEntry("literal", "cost of ${x}");
        }

        @Test
        void assignedDataIsAddedToTheContext() throws InterruptedException {
            servers.with(
                    "text",
                    arguments ->
                            FakeServers.result("{\"content\":[{\"type\":\"text\",\"text\":\" {\\\"id\\\": 5}\"}]}"));
            var result = run("""
                    input: {properties: {greeting: {type: string, default: hello}, other: {}}}
                    steps:
                      - {name: a, tool: s.text, assign: found}
                      - name: b
                        tool: s.echo
                        params: {id: '${context.found.id}', greeting: '${context.greeting}', other: '${context.other}'}
                    result: {id: '${steps.b.structuredContent.id}', who: '${context.who}'}
                    """.replace("other: {}", "other: {}, who: {}"), Map.of("who", "Ada", "other", 1));

            assertThat(result.value()).isEqualTo(Map.of("id", 5L, "who", "Ada"));
            assertThat(result.steps().get(1).value().get("structuredContent"))
                    .isEqualTo(Map.of("id", 5L, "greeting", "hello", "other", 1L));
        }

        @Test
        void unresolvedReferenceFailsItsStepBeforeTheCall() throws InterruptedException {
            var result = run("""
                    steps:
                      - {name: a, tool: s.echo, params: {title: x}}
                      - {name: b, tool: s.echo, params: {x: '${steps.a.structuredContent.titel}'}}
                    """);

            assertThat(result.failure().orElseThrow().message())
                    .contains("step 'b' failed", "'steps.a.structuredContent' has no 'titel'", "did you mean 'title'?");
            assertThat(servers.calls).containsExactly("echo");
        }

        @Test
        void invalidContextFailsTheRunBeforeTheFirstStep() {
            assertThatThrownBy(() -> run("""
                            steps:
                              - {name: a, tool: s.echo}
                              - {name: b, tool: s.echo, params: {x: '${context.number}'}}
                            """))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("the context has no 'number'");
            assertThatThrownBy(() -> run("""
                            input: {properties: {number: {type: integer}}, required: [number]}
                            steps: [{name: a, tool: s.echo, params: {x: '${context.number}'}}]
                            """, Map.of("number", "text")))
                    .hasMessageContaining("the context does not fit 'input': /number");
            assertThat(servers.calls).isEmpty();
        }
    }

    @Nested
    class Order {

        @Test
        void independentStepsRunInParallel() throws InterruptedException {
            var both = new CyclicBarrier(2);
            servers.with("meet", arguments -> Map.of("n", both.await(60, TimeUnit.SECONDS)));

            assertThat(run("""
                            steps:
                              - {name: a, tool: s.meet}
                              - {name: b, tool: s.meet}
                            """).isOk()).isTrue();
        }

        @Test
        void stepsWaitForTheirDependencies() throws InterruptedException {
            var order = Collections.synchronizedList(new ArrayList<Object>());
            servers.with("note", arguments -> {
                order.add(arguments.get("n"));
                return Map.of("n", 1);
            });
            assertThat(run("""
                            steps:
                              - {name: a, tool: s.note, params: {n: a}, assign: x}
                              - {name: b, tool: s.note, params: {n: b, x: '${context.x.n}'}}
                              - {name: c, tool: s.note, params: {n: c}, dependsOn: [b]}
                            """).isOk()).isTrue();
            assertThat(order).containsExactly("a", "b", "c");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                true                                                     | OK
                false                                                    | SKIPPED
                '${steps.a.structuredContent.open}'                      | OK
                '${steps.a.structuredContent.shut}'                      | SKIPPED
                '${steps.a.structuredContent.none}'                      | SKIPPED
                {not: '${steps.a.structuredContent.none}'}               | OK
                {equals: ['${steps.a.structuredContent.n}', 1.0]}        | OK
                {equals: ['${steps.a.structuredContent.n}', '1']}        | SKIPPED
                {all: [true, '${steps.a.structuredContent.shut}']}       | SKIPPED
                {any: [false, {equals: ['${steps.a.isError}', false]}]}  | OK
                """)
        void conditionDecidesWhetherAStepRuns(String when, State expected) throws InterruptedException {
            var result = run("""
                    steps:
                      - {name: a, tool: s.echo, params: {open: true, shut: false, n: 1}}
                      - {name: b, tool: s.echo, when: %s}
                      - {name: user, tool: s.echo, params: {b: '${steps.b.text}'}}
                      - {name: after, tool: s.echo, dependsOn: [b]}
                    """.formatted(when));

            assertThat(state(result, "b")).isEqualTo(expected);
            assertThat(state(result, "user")).isEqualTo(expected);
            assertThat(state(result, "after")).isEqualTo(State.OK);
            assertThat(result.isOk()).isTrue();
        }

        @Test
        void callsOfARunAreInOneTrace() throws InterruptedException {
            var yaml = "steps: [{name: a, tool: s.echo}, {name: b, tool: s.echo}]";
            var own = run(yaml);
            var trace = TraceParent.of("a".repeat(32), "b".repeat(16), "01");
            var given = WorkflowEngine.of(servers)
                    .execute(Workflow.parse(yaml), WorkflowContext.of(Map.of()).withTrace(trace));

            assertThat(own.trace().isPresent()).isTrue();
            assertThat(given.trace()).isEqualTo(trace);
            assertThat(servers.options)
                    .extracting(options -> options.trace())
                    .containsExactly(own.trace(), own.trace(), trace, trace);
        }
    }

    @Nested
    class Failures {
        private final AtomicInteger attempts = new AtomicInteger();

        /** A tool that fails this many times. */
        private void failing(String annotations, ErrorCode code, Delivery delivery, int times) {
            servers.with("fail", ANY, annotations, arguments -> {
                if (attempts.incrementAndGet() <= times) {
                    throw failure(code, delivery);
                }
                return Map.of("attempt", attempts.get());
            });
        }

        @Test
        void failedRunListsItsStepsAndRetriesNothing() throws InterruptedException {
            failing("{}", ErrorCode.PROVIDER_CRASHED, Delivery.UNKNOWN, 9);
            var result = run("""
                    steps:
                      - {name: a, tool: s.echo}
                      - {name: b, tool: s.fail, dependsOn: [a], onError: retry}
                      - {name: c, tool: s.echo, dependsOn: [b]}
                    """);

            assertThat(result.isOk()).isFalse();
            assertThat(result.summary()).isEqualTo("OK: a; FAILED: b (may have run); NOT_RUN: c");
            assertThat(result.failure().orElseThrow().message())
                    .contains(
                            "step 'b' failed",
                            "it is not tried again",
                            "[OK: a; FAILED: b (may have run); NOT_RUN: c]");
            assertThat(servers.calls).containsExactly("echo", "fail");
            assertThat(result.json().text()).contains("\"delivery\":\"UNKNOWN\"", "\"ok\":false");
        }

        @ParameterizedTest
        @CsvSource({
            "{}, PROVIDER_UNAVAILABLE, NOT_SENT, 2, OK, 3",
            "{}, OVERLOADED, REJECTED, 2, OK, 3",
            "{}, PROVIDER_UNAVAILABLE, NOT_SENT, 9, FAILED, 3",
            "{}, PROVIDER_TIMEOUT, UNKNOWN, 1, FAILED, 1",
            "{}, INVALID_PARAMS, NOT_SENT, 1, FAILED, 1",
            "{}, PROVIDER_UNAVAILABLE, ANSWERED, 1, FAILED, 1",
            "{\"idempotentHint\":true}, IN_DOUBT, UNKNOWN, 1, OK, 2",
            "{\"readOnlyHint\":true}, PROVIDER_UNAVAILABLE, ANSWERED, 1, OK, 2",
            "{\"idempotentHint\":true}, SERVER_ERROR, ANSWERED, 1, FAILED, 1",
        })
        void onlyRetryableFailuresAreRetried(
                String annotations, ErrorCode code, Delivery delivery, int failures, State state, int calls)
                throws InterruptedException {
            failing(annotations, code, delivery, failures);

            var result = run("steps: [{name: a, tool: s.fail, onError: retry}]");

            assertThat(state(result, "a")).isEqualTo(state);
            assertThat(result.steps().get(0).calls()).isEqualTo(calls).isEqualTo(servers.calls.size());
        }

        @Test
        void retriedCallOfWhichOneAttemptMayHaveRunIsInDoubt() throws InterruptedException {
            servers.with("fail", ANY, IDEMPOTENT, arguments -> {
                throw attempts.incrementAndGet() == 1
                        ? failure(ErrorCode.PROVIDER_TIMEOUT, Delivery.UNKNOWN)
                        : failure(ErrorCode.INVALID_PARAMS, Delivery.NOT_SENT);
            });

            var result = run("steps: [{name: a, tool: s.fail, onError: retry}]");

            assertThat(result.summary()).isEqualTo("FAILED: a (may have run)");
            assertThat(servers.calls).hasSize(2);
        }

        @Test
        void stepOfWhichAnEarlierAttemptRanIsNotUnsent() throws InterruptedException {
            servers.with("fail", ANY, IDEMPOTENT, arguments -> {
                if (attempts.incrementAndGet() == 1) {
                    return FakeServers.result("{\"isError\":true,\"content\":[]}");
                }
                throw failure(ErrorCode.INVALID_PARAMS, Delivery.NOT_SENT);
            });

            var step = run("steps: [{name: a, tool: s.fail, onError: retry}]")
                    .steps()
                    .get(0);

            assertThat(step.failure().orElseThrow().delivery()).isEqualTo(Delivery.ANSWERED);
            assertThat(step.hasRun()).isTrue();
        }

        @Test
        void annotationsOfUntrustedServersAllowNoRetry() throws InterruptedException {
            var tool = ToolDefinition.parse(
                    "{\"name\":\"pay\",\"inputSchema\":%s,\"annotations\":%s}".formatted(ANY, IDEMPOTENT));
            servers.with(tool, arguments -> {
                throw failure(ErrorCode.PROVIDER_TIMEOUT, Delivery.UNKNOWN);
            });

            var result = run("steps: [{name: a, tool: s.pay, onError: retry}]");

            assertThat(result.failure().orElseThrow().message()).contains("neither the operator nor a trusted server");
            assertThat(servers.calls).containsExactly("pay");
        }

        @Test
        void callThatTheBridgeCallsHarmlessIsRetried() throws InterruptedException {
            servers.with("fail", arguments -> {
                if (attempts.incrementAndGet() == 1) {
                    throw CallException.of(Failure.of(ErrorCode.PROVIDER_TIMEOUT, "late")
                            .withDelivery(Delivery.UNKNOWN)
                            .withHarmless());
                }
                return Map.of();
            });

            assertThat(run("steps: [{name: a, tool: s.fail, onError: retry}]").isOk())
                    .isTrue();
        }

        @Test
        void defectOfACallLeavesItInDoubt() throws InterruptedException {
            servers.with("fail", arguments -> {
                throw new IllegalStateException("a defect");
            });

            assertThat(run("steps: [{name: a, tool: s.fail}]").summary()).isEqualTo("FAILED: a (may have run)");
        }

        @ParameterizedTest(name = "after a tool with {0}, its own call {1}: {2}")
        @CsvSource({
            "{}, NOT_SENT, false",
            "{\"readOnlyHint\":true}, NOT_SENT, true",
            "{\"readOnlyHint\":true}, UNKNOWN, false",
        })
        void runIsRetryableIfNothingRanThatMayNotRunTwice(String annotations, Delivery delivery, boolean isRetryable)
                throws InterruptedException {
            servers.with("first", ANY, annotations, arguments -> Map.of());
            failing("{}", ErrorCode.PROVIDER_UNAVAILABLE, delivery, 9);
            var result = run("""
                    steps:
                      - {name: a, tool: s.first}
                      - {name: b, tool: s.fail, dependsOn: [a]}
                    """);

            assertThat(result.failure().orElseThrow().retryable()).isEqualTo(isRetryable);
        }

        @Test
        void longPauseIsNotMade() throws InterruptedException {
            servers.with("busy", arguments -> {
                throw CallException.of(Failure.of(ErrorCode.OVERLOADED, "later").withRetryAfter(Duration.ofHours(1)));
            });

            var result = run("steps: [{name: a, tool: s.busy, onError: retry}]");

            assertThat(result.failure().orElseThrow().message()).doesNotContain("not tried again");
            assertThat(servers.calls).hasSize(1);
        }

        @Test
        void callIsMadeOnceWithoutRetry() throws InterruptedException {
            failing(IDEMPOTENT, ErrorCode.PROVIDER_UNAVAILABLE, Delivery.NOT_SENT, 9);

            run("steps: [{name: a, tool: s.fail}]");

            assertThat(servers.calls).hasSize(1);
        }

        @Test
        void toolErrorsAreFailures() throws InterruptedException {
            servers.with(
                    "bad",
                    ANY,
                    IDEMPOTENT,
                    arguments -> FakeServers.result(
                            "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no such issue\"}]}"));
            var result = run("""
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

            var result = run("steps: [{name: a, tool: s.bad}]");

            assertThat(result.failure().orElseThrow().message()).hasSizeLessThan(2_000);
            assertThat(result.steps().get(0).value()).containsEntry("text", text);
        }

        @Test
        void failedStepsHaveTextAndError() throws InterruptedException {
            failing("{}", ErrorCode.PROVIDER_TIMEOUT, Delivery.UNKNOWN, 9);
            servers.with("bad", arguments -> FakeServers.result("{\"isError\":true,\"content\":[]}"));
            var result = run("""
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
            failing("{}", ErrorCode.PROVIDER_TIMEOUT, Delivery.UNKNOWN, 9);
            var result = run("""
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
            var result = run("""
                    steps:
                      - {name: a, tool: s.first}
                      - {name: b, tool: s.gone, dependsOn: [a], onError: retry}
                    """);

            assertThat(result.summary()).isEqualTo("OK: a; FAILED: b");
            assertThat(servers.calls).containsExactly("first", "gone");
        }

        @Test
        void timeoutOfAStepIncludesItsRetries() throws InterruptedException {
            failing(IDEMPOTENT, ErrorCode.PROVIDER_UNAVAILABLE, Delivery.NOT_SENT, 9);
            var result = run("steps: [{name: a, tool: s.fail, onError: retry, timeout: 100ms}]");

            assertThat(state(result, "a")).isEqualTo(State.FAILED);
            assertThat(result.steps().get(0).calls()).isLessThan(3);
            assertThat(servers.options.stream().map(options -> options.timeout().orElseThrow()))
                    .allMatch(timeout -> timeout.toMillis() <= 100);
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
                    run(
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

    @Nested
    class Checks {

        @Test
        void mistakesAreReportedBeforeTheFirstCall() {
            servers.with("strict", """
                    {"type":"object","properties":{"number":{"type":"integer"},"ok":{"type":"boolean"}},
                     "required":["number"],"additionalProperties":false}
                    """, "{}", arguments -> Map.of());
            var workflow = Workflow.parse("""
                    steps:
                      - {name: a, tool: s.ehco}
                      - {name: b, tool: s.strict, params: {nmber: 1}}
                      - {name: c, tool: s.strict, params: {number: '${context.number}', ok: 5}}
                      - {name: d, tool: s.strict, params: {number: '${context.number}', ok: '${context.ok}'}}
                    """);

            assertThatThrownBy(() -> WorkflowEngine.of(servers).execute(workflow, Map.of("number", 1, "ok", true)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("step 'a': there is no tool 's.ehco'; did you mean 's.echo'?")
                    .hasMessageContaining("step 'b': 'params': required property 'number' not found")
                    .hasMessageContaining("step 'b': 'params': property 'nmber' is not defined")
                    .hasMessageContaining("step 'c': 'params': /ok")
                    .hasMessageNotContaining("step 'd'")
                    .hasMessageNotContaining("/number");
            assertThatThrownBy(() -> WorkflowEngine.of(servers).check(workflow, Map.of("number", "x")))
                    .hasMessageContaining("step 'b'")
                    .hasMessageContaining("the context has no 'ok'");
            assertThat(servers.calls).isEmpty();
        }

        @Test
        void argumentsMayMatchAPatternBesideReferences() throws InterruptedException {
            servers.with("pattern", """
                    {"type":"object","properties":{"id":{"type":"integer"}},
                     "patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}
                    """, "{}", arguments -> Map.of());
            var yaml = "steps: [{name: a, tool: s.pattern, params: {id: '${context.id}', x-note: text}}]";

            assertThat(run(yaml, Map.of("id", 1)).isOk()).isTrue();
        }

        @Test
        void unlistableServerFailsTheCheckButNotTheRun() throws InterruptedException {
            var workflow = Workflow.parse("""
                    steps:
                      - {name: a, tool: away.tool, onError: continue}
                      - {name: b, tool: s.echo}
                    """);

            assertThatThrownBy(() -> WorkflowEngine.of(servers).check(workflow, Map.of()))
                    .hasMessageContaining("no such server");
            assertThat(WorkflowEngine.of(servers).execute(workflow, Map.of()).isOk())
                    .isTrue();
        }
    }

    @Nested
    class ForEach {

        @Test
        void eachElementIsOneCall() throws InterruptedException {
            var result = run("""
                    steps:
                      - {name: list, tool: s.echo, params: {items: [a, b, c]}}
                      - name: each
                        tool: s.echo
                        forEach: {items: '${steps.list.structuredContent.items}', parallel: 3}
                        params: {it: '${item}', at: '${index}'}
                        assign: all
                    result: ${context.all}
                    """);

            assertThat(result.value())
                    .isEqualTo(List.of(
                            Map.of("it", "a", "at", 0L), Map.of("it", "b", "at", 1L), Map.of("it", "c", "at", 2L)));
        }

        @Test
        void elementsRunInParallelUpToTheLimit() throws InterruptedException {
            var both = new CyclicBarrier(2);
            servers.with("meet", arguments -> Map.of("n", both.await(60, TimeUnit.SECONDS)));

            assertThat(run("steps: [{name: a, tool: s.meet, forEach: {items: [1, 2, 3, 4], parallel: 2}}]")
                            .isOk())
                    .isTrue();
        }

        @Test
        void tooManyElementsAreRejectedBeforeTheFirst() throws InterruptedException {
            var context = new HashMap<String, Object>(Map.of("items", Collections.nCopies(1_000_000, 1)));
            var result = run("steps: [{name: a, tool: s.echo, forEach: '${context.items}'}]", context);

            assertThat(result.failure().orElseThrow().message()).contains("1000000 elements", "at most 1000", "'max'");
            assertThat(servers.calls).isEmpty();
        }

        @Test
        void firstFailureEndsTheStepAndNamesTheElement() throws InterruptedException {
            servers.with("odd", arguments -> {
                if (Long.valueOf(2).equals(arguments.get("n"))) {
                    throw failure(ErrorCode.PROVIDER_CRASHED, Delivery.UNKNOWN);
                }
                return arguments;
            });
            var step = "steps: [{name: a, tool: s.odd, forEach: [1, 2, 3], params: {n: '${item}'}%s}]";

            var stopped = run(step.formatted(""));
            var continued = run(step.formatted(", onError: continue"));

            assertThat(stopped.failure().orElseThrow().message()).contains("element 2 of 3: it broke");
            assertThat(stopped.steps().get(0).calls()).isEqualTo(2);
            assertThat(continued.isOk()).isTrue();
            assertThat(state(continued, "a")).isEqualTo(State.FAILED);
            assertThat(continued.steps().get(0).calls()).isEqualTo(3);
            assertThat(Json.of(continued.steps().get(0).value()).text())
                    .contains("\"n\":1", "\"isError\":true", "\"n\":3");
        }

        @Test
        void failureThatMayHaveRunPrecedesOthers() throws InterruptedException {
            servers.with("by", arguments -> {
                throw failure(ErrorCode.PROVIDER_TIMEOUT, Delivery.valueOf(String.valueOf(arguments.get("how"))));
            });
            var result = run("""
                    steps:
                      - name: a
                        tool: s.by
                        onError: continue
                        forEach: [NOT_SENT, UNKNOWN, ANSWERED]
                        params: {how: '${item}'}
                    """).steps().get(0);

            assertThat(result.isInDoubt()).isTrue();
            assertThat(result.failure().orElseThrow().message()).isEqualTo("element 2 of 3: it broke");
        }

        @Test
        void stepOfWhichAnElementRanIsNotUnsent() throws InterruptedException {
            servers.with("odd", arguments -> {
                if (Long.valueOf(2).equals(arguments.get("n"))) {
                    throw failure(ErrorCode.PROVIDER_UNAVAILABLE, Delivery.NOT_SENT);
                }
                return arguments;
            });
            var result = run("steps: [{name: a, tool: s.odd, forEach: [1, 2], params: {n: '${item}'}}]");

            assertThat(result.steps().get(0).failure().orElseThrow().delivery()).isEqualTo(Delivery.ANSWERED);
            assertThat(result.failure().orElseThrow().retryable()).isFalse();
        }

        @Test
        void forEachRequiresAList() throws InterruptedException {
            assertThat(run("steps: [{name: a, tool: s.echo, forEach: '${context.x}'}]", Map.of("x", "text"))
                            .failure()
                            .orElseThrow()
                            .message())
                    .contains("'forEach' must have a list");
            assertThat(run("steps: [{name: a, tool: s.echo, forEach: []}]").isOk())
                    .isTrue();
        }
    }

    @Nested
    class Questions {
        private static final String ASKING = """
                steps:
                  - name: sure
                    ask: {message: Delete it?, schema: {type: object, properties: {yes: {type: boolean}}}}
                    timeout: 30s
                  - {name: delete, tool: s.echo, when: '${steps.sure.structuredContent.yes}'}
                """;

        private WorkflowResult ask(String yaml, ElicitationHandler handler) throws InterruptedException {
            return WorkflowEngine.of(servers)
                    .execute(Workflow.parse(yaml), WorkflowContext.of(Map.of()).withElicitationHandler(handler));
        }

        @Test
        void answersOfTheUserAreValues() throws InterruptedException {
            var asked = new ArrayList<ElicitRequest>();
            var result = ask(ASKING, request -> {
                asked.add(request);
                return ElicitResult.accept(Map.of("yes", true));
            });

            assertThat(asked).singleElement().satisfies(request -> {
                assertThat(request.message()).isEqualTo("Delete it?");
                assertThat(request.requestedSchema().orElseThrow().text()).contains("boolean");
            });
            assertThat(state(result, "delete")).isEqualTo(State.OK);
            assertThat(state(ask(ASKING, request -> ElicitResult.accept(Map.of("yes", false))), "delete"))
                    .isEqualTo(State.SKIPPED);
        }

        @Test
        void declinedElicitationFailsTheStep() throws InterruptedException {
            assertThat(ask(ASKING, request -> ElicitResult.decline())
                            .failure()
                            .orElseThrow()
                            .message())
                    .contains("step 'sure' failed", "'Delete it?' was not answered: decline");
            assertThat(run(ASKING).failure().orElseThrow().message()).contains("no user can be asked");
        }

        @Test
        void elicitationTimesOut() throws InterruptedException {
            // On a slow machine the question is withdrawn before its handler begins.
            var open = new AtomicInteger();
            var result = ask(ASKING.replace("30s", "50ms"), request -> {
                open.incrementAndGet();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    open.decrementAndGet();
                }
                return ElicitResult.decline();
            });

            assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            await().atMost(Duration.ofSeconds(30)).until(() -> open.get() == 0);
        }
    }
}
