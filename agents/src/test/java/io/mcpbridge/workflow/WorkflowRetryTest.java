package io.mcpbridge.workflow;

import static io.mcpbridge.workflow.FakeServers.ANY;
import static io.mcpbridge.workflow.FakeServers.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.workflow.StepResult.State;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which calls of a workflow are repeated. */
@Timeout(120)
class WorkflowRetryTest {
    private static final String IDEMPOTENT = "{\"idempotentHint\":true}";

    private final FakeServers servers = new FakeServers();
    private final AtomicInteger attempts = new AtomicInteger();

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
        servers.failing(annotations, code, delivery, failures);

        var result = servers.run("steps: [{name: a, tool: s.fail, onError: retry}]");

        assertThat(FakeServers.state(result, "a")).isEqualTo(state);
        assertThat(result.steps().get(0).calls()).isEqualTo(calls).isEqualTo(servers.calls.size());
    }

    @Test
    void answeredCallIsNotInDoubt() throws InterruptedException {
        servers.failing("{}", ErrorCode.PROVIDER_UNAVAILABLE, Delivery.ANSWERED, 9);

        var result = servers.run("steps: [{name: a, tool: s.fail, onError: retry}]");

        assertThat(result.failure().orElseThrow().message())
                .contains("is not tried again, since the call was answered")
                .doesNotContain("may have run");
    }

    @Test
    void retriedCallOfWhichOneAttemptMayHaveRunIsInDoubt() throws InterruptedException {
        servers.with("fail", ANY, IDEMPOTENT, arguments -> {
            throw attempts.incrementAndGet() == 1
                    ? failure(ErrorCode.PROVIDER_TIMEOUT, Delivery.UNKNOWN)
                    : failure(ErrorCode.INVALID_PARAMS, Delivery.NOT_SENT);
        });

        var result = servers.run("steps: [{name: a, tool: s.fail, onError: retry}]");

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

        var step = servers.run("steps: [{name: a, tool: s.fail, onError: retry}]")
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

        var result = servers.run("steps: [{name: a, tool: s.pay, onError: retry}]");

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

        assertThat(servers.run("steps: [{name: a, tool: s.fail, onError: retry}]")
                        .isOk())
                .isTrue();
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
        servers.failing("{}", ErrorCode.PROVIDER_UNAVAILABLE, delivery, 9);
        var result = servers.run("""
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

        var result = servers.run("steps: [{name: a, tool: s.busy, onError: retry}]");

        assertThat(result.failure().orElseThrow().message()).doesNotContain("not tried again");
        assertThat(servers.calls).hasSize(1);
    }

    @Test
    void callIsMadeOnceWithoutRetry() throws InterruptedException {
        servers.failing(IDEMPOTENT, ErrorCode.PROVIDER_UNAVAILABLE, Delivery.NOT_SENT, 9);

        servers.run("steps: [{name: a, tool: s.fail}]");

        assertThat(servers.calls).hasSize(1);
    }

    @Test
    void timeoutOfAStepIncludesItsRetries() throws InterruptedException {
        servers.failing(IDEMPOTENT, ErrorCode.PROVIDER_UNAVAILABLE, Delivery.NOT_SENT, 9);
        var result = servers.run("steps: [{name: a, tool: s.fail, onError: retry, timeout: 100ms}]");

        assertThat(FakeServers.state(result, "a")).isEqualTo(State.FAILED);
        assertThat(result.steps().get(0).calls()).isLessThan(3);
        assertThat(servers.options.stream().map(options -> options.timeout().orElseThrow()))
                .allMatch(timeout -> timeout.toMillis() <= 100);
    }
}
