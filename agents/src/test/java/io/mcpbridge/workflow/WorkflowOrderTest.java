package io.mcpbridge.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.TraceParent;
import io.mcpbridge.workflow.StepResult.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the steps of a workflow run. */
@Timeout(120)
class WorkflowOrderTest {
    private final FakeServers servers = new FakeServers();

    @Test
    void independentStepsRunInParallel() throws InterruptedException {
        var both = new CyclicBarrier(2);
        servers.with("meet", arguments -> Map.of("n", both.await(60, TimeUnit.SECONDS)));

        assertThat(servers.run("""
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
        assertThat(servers.run("""
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
        var result = servers.run("""
                steps:
                  - {name: a, tool: s.echo, params: {open: true, shut: false, n: 1}}
                  - {name: b, tool: s.echo, when: %s}
                  - {name: user, tool: s.echo, params: {b: '${steps.b.text}'}}
                  - {name: after, tool: s.echo, dependsOn: [b]}
                """.formatted(when));

        assertThat(FakeServers.state(result, "b")).isEqualTo(expected);
        assertThat(FakeServers.state(result, "user")).isEqualTo(expected);
        assertThat(FakeServers.state(result, "after")).isEqualTo(State.OK);
        assertThat(result.isOk()).isTrue();
    }

    @Test
    void callsOfARunAreInOneTrace() throws InterruptedException {
        var yaml = "steps: [{name: a, tool: s.echo}, {name: b, tool: s.echo}]";
        var own = servers.run(yaml);
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
