package io.mcpbridge.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is checked before the first step of a workflow. */
@Timeout(120)
class WorkflowCheckTest {
    private final FakeServers servers = new FakeServers();

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

        assertThat(servers.run(yaml, Map.of("id", 1)).isOk()).isTrue();
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
