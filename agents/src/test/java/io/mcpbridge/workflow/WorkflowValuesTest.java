package io.mcpbridge.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The values that steps of a workflow pass on. */
@Timeout(120)
class WorkflowValuesTest {
    private final FakeServers servers = new FakeServers();

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
        var result = servers.run("""
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
                arguments -> FakeServers.result("{\"content\":[{\"type\":\"text\",\"text\":\" {\\\"id\\\": 5}\"}]}"));
        var result = servers.run("""
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
        var result = servers.run("""
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
        assertThatThrownBy(() -> servers.run("""
                        steps:
                          - {name: a, tool: s.echo}
                          - {name: b, tool: s.echo, params: {x: '${context.number}'}}
                        """))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the context has no 'number'");
        assertThatThrownBy(() -> servers.run("""
                        input: {properties: {number: {type: integer}}, required: [number]}
                        steps: [{name: a, tool: s.echo, params: {x: '${context.number}'}}]
                        """, Map.of("number", "text")))
                .hasMessageContaining("the context does not fit 'input': /number");
        assertThat(servers.calls).isEmpty();
    }
}
