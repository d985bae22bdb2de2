package io.mcpbridge.workflow;

import static io.mcpbridge.workflow.FakeServers.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.tool.Json;
import io.mcpbridge.workflow.StepResult.State;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps of a workflow that call a tool for each element. */
@Timeout(120)
class WorkflowForEachTest {
    private final FakeServers servers = new FakeServers();

    @Test
    void eachElementIsOneCall() throws InterruptedException {
        var result = servers.run("""
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
                .isEqualTo(
                        List.of(Map.of("it", "a", "at", 0L), Map.of("it", "b", "at", 1L), Map.of("it", "c", "at", 2L)));
    }

    @Test
    void elementsRunInParallelUpToTheLimit() throws InterruptedException {
        var both = new CyclicBarrier(2);
        servers.with("meet", arguments -> Map.of("n", both.await(60, TimeUnit.SECONDS)));

        assertThat(servers.run("steps: [{name: a, tool: s.meet, forEach: {items: [1, 2, 3, 4], parallel: 2}}]")
                        .isOk())
                .isTrue();
    }

    @Test
    void tooManyElementsAreRejectedBeforeTheFirst() throws InterruptedException {
        var context = new HashMap<String, Object>(Map.of("items", Collections.nCopies(1_000_000, 1)));
        var result = servers.run("steps: [{name: a, tool: s.echo, forEach: '${context.items}'}]", context);

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

        var stopped = servers.run(step.formatted(""));
        var continued = servers.run(step.formatted(", onError: continue"));

        assertThat(stopped.failure().orElseThrow().message()).contains("element 2 of 3: it broke");
        assertThat(stopped.steps().get(0).calls()).isEqualTo(2);
        assertThat(continued.isOk()).isTrue();
        assertThat(FakeServers.state(continued, "a")).isEqualTo(State.FAILED);
        assertThat(continued.steps().get(0).calls()).isEqualTo(3);
        assertThat(Json.of(continued.steps().get(0).value()).text()).contains("\"n\":1", "\"isError\":true", "\"n\":3");
    }

    @Test
    void failureThatMayHaveRunPrecedesOthers() throws InterruptedException {
        servers.with("by", arguments -> {
            throw failure(ErrorCode.PROVIDER_TIMEOUT, Delivery.valueOf(String.valueOf(arguments.get("how"))));
        });
        var result = servers.run("""
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
        var result = servers.run("steps: [{name: a, tool: s.odd, forEach: [1, 2], params: {n: '${item}'}}]");

        assertThat(result.steps().get(0).failure().orElseThrow().delivery()).isEqualTo(Delivery.ANSWERED);
        assertThat(result.failure().orElseThrow().retryable()).isFalse();
    }

    @Test
    void forEachRequiresAList() throws InterruptedException {
        assertThat(servers.run("steps: [{name: a, tool: s.echo, forEach: '${context.x}'}]", Map.of("x", "text"))
                        .failure()
                        .orElseThrow()
                        .message())
                .contains("'forEach' must have a list");
        assertThat(servers.run("steps: [{name: a, tool: s.echo, forEach: []}]").isOk())
                .isTrue();
    }
}
