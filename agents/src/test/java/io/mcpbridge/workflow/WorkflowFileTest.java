package io.mcpbridge.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of workflows, and the mistakes in them. */
@Timeout(60)
class WorkflowFileTest {

    private static List<String> mistakes(String yaml) {
        return catchThrowableOfType(ConfigurationException.class, () -> Workflow.parse(yaml))
                .problems();
    }

    @Test
    void yamlAndJsonAreEquivalent() {
        var yaml = Workflow.parse("""
                name: triage
                description: Says it.
                steps:
                  - name: issue
                    tool: github.get_issue
                    params: {number: 42, exact: 1.5}
                  - name: tell
                    tool: chat.post.now
                    params:
                      text: ${steps.issue.structuredContent.title}
                """);
        var json = Workflow.parse("""
                {"name": "triage", "description": "Says it.", "steps": [
                  {"name": "issue", "tool": "github.get_issue", "params": {"number": 42, "exact": 1.5}},
                  {"name": "tell", "tool": "chat.post.now",
                   "params": {"text": "${steps.issue.structuredContent.title}"}}]}
                """);

        for (var workflow : List.of(yaml, json)) {
            assertThat(workflow.name()).isEqualTo("triage");
            assertThat(workflow.steps()).extracting(WorkflowStep::name).containsExactly("issue", "tell");
            assertThat(workflow.steps().get(1).tool()).contains("chat.post.now");
            assertThat(workflow.steps().get(1).dependsOn()).containsExactly("issue");
        }
        assertThat(yaml.steps().get(0).params()).isEqualTo(json.steps().get(0).params());
    }

    @Test
    void everyMistakeIsReportedWithItsStep() {
        assertThat(mistakes("""
                        nmae: x
                        steps:
                          - name: a
                            tool: github
                          - name: b
                            tool: s.t
                            ask: {}
                            timeout: 5
                            onError: explode
                          - name: 1a
                            tool: s.t
                            params: [1]
                            tiemout: 5s
                          - text
                        """))
                .anyMatch(problem -> problem.contains("'nmae'") && problem.contains("'name'"))
                .anyMatch(problem -> problem.startsWith("step 'a': 'tool' is 'github'"))
                .anyMatch(problem -> problem.startsWith("step 'b': it must have either a 'tool'"))
                .anyMatch(problem -> problem.startsWith("step 'b': 'ask' must have a 'message'"))
                .anyMatch(problem -> problem.startsWith("step 'b': 'timeout' is 5"))
                .anyMatch(problem -> problem.startsWith("step 'b': 'onError' is 'explode'"))
                .anyMatch(problem -> problem.startsWith("step '1a': 'name' is '1a'"))
                .anyMatch(problem -> problem.startsWith("step '1a': 'params' is"))
                .anyMatch(problem -> problem.startsWith("step '1a': ") && problem.contains("'tiemout'"))
                .anyMatch(problem -> problem.startsWith("step 4 is 'text'"));
    }

    @Test
    void literalListHasAtMostTheElementsOfMax() {
        assertThat(mistakes("steps: [{name: a, tool: s.t, forEach: {items: [1, 2, 3], max: 2}}]"))
                .singleElement()
                .asString()
                .startsWith("step 'a': 'forEach' has 3 elements but may have at most 2");
    }

    /** A step {@code one} with a value {@code first}, this step, and a step {@code later} with a value {@code last}. */
    private static String around(String step) {
        return """
                steps:
                  - {name: one, tool: s.t, assign: first}
                  - {name: two, tool: s.t, %s}
                  - {name: later, tool: s.t, assign: last, dependsOn: [two]}
                """.formatted(step);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            params: {a: '${steps.on.text}'}           | step 'two': it needs the step 'on', which does not exist; did you mean 'one'?
            params: {a: [{b: '${steps.later.text}'}]} | step 'two': it needs the step 'later', which waits for 'two'
            params: {a: '${steps.two.text}'}          | step 'two': it needs the step 'two', which waits for 'two'
            dependsOn: [later]                        | step 'two': it needs the step 'later', which waits for 'two'
            dependsOn: [none]                         | step 'two': it needs the step 'none', which does not exist
            params: {a: '${context.last}'}            | step 'two': the reference '${context.last}' needs a value that no step above assigns
            params: {a: '${context}'}                 | step 'two': the reference '${context}' must have a name behind 'context'
            params: {a: '${steps}'}                   | step 'two': the reference '${steps}' must have a name behind 'steps'
            params: {a: '${steps.one.txet}'}          | step 'two': the reference '${steps.one.txet}' points to nothing; did you mean 'text'?
            params: {a: '${steps.one.results}'}       | step 'two': the reference '${steps.one.results}' points to nothing
            params: {a: '${step.one.text}'}           | step 'two': the reference '${step.one.text}' must begin with one of
            params: {a: 'x ${steps.one.text}'}        | step 'two': 'x ${steps.one.text}' has '${' within a text
            params: {a: '${item}'}                    | step 'two': the reference '${item}' has a value only in 'params' beside 'forEach'
            assign: first                             | step 'two': 'assign' is 'first', which step 'one' assigns
            name: one                                 | another step has this name
            forEach: 5                                | step 'two': 'forEach' must have a list or a reference to one
            forEach: {items: [], max: 1000000}        | step 'two': 'forEach.max' is 1000000 but must be 1 to 10000
            forEach: {items: [], parallel: 0}         | step 'two': 'forEach.parallel' is 0 but must be 1 to 32
            when: maybe                               | step 'two': 'when' has 'maybe'
            when: {equals: [1]}                       | step 'two': 'when' has 'equals' with 1 values
            when: {equal: [1, 2]}                     | step 'two': 'when' has the operator 'equal'; did you mean 'equals'?
            when: {not: true, all: []}                | step 'two': 'when' must have one operator
            when: {all: 1}                            | step 'two': 'when' has 'all' with '1' but must have a list
            timeout: 0s                               | step 'two': 'timeout' is '0s' but must be longer than zero
            """)
    void wrongStepIsReported(String step, String mistake) {
        var yaml = around(step);
        assertThat(mistakes(step.startsWith("name") ? yaml.replace("name: two, ", "") : yaml))
                .anyMatch(problem -> problem.contains(mistake));
    }

    @Test
    void referenceToALaterStepIsReportedWithTheRemedy() {
        assertThat(mistakes("""
                        steps:
                          - {name: a, tool: s.t, params: {x: '${steps.b.text}'}}
                          - {name: b, tool: s.t}
                        """))
                .containsExactly("step 'a': it needs the step 'b', which is below it; move that step up");
    }

    @Test
    void membersOfResultsDependOnTheKindOfTheStep() {
        assertThat(mistakes("""
                        steps:
                          - {name: each, tool: s.t, forEach: [1]}
                          - {name: sure, ask: {message: Sure?, schema: {}}}
                          - {name: a, tool: s.t, params: {x: '${steps.each.content}', y: '${steps.each.results.0.content}'}}
                          - {name: b, tool: s.t, params: {x: '${steps.sure.results}', y: '${steps.sure.structuredContent}'}}
                        """))
                .containsExactly(
                        "step 'a': the reference '${steps.each.content}' points to nothing; a result of step 'each' has"
                                + " [error, isError, results, text]",
                        "step 'b': the reference '${steps.sure.results}' points to nothing; a result of step 'sure' has"
                                + " [error, isError, structuredContent, text]");
    }

    @Test
    void contextMustBeInTheInput() {
        assertThat(mistakes("""
                        input: {properties: {number: {type: integer}}}
                        steps:
                          - {name: a, tool: s.t, params: {x: '${context.nmuber}'}}
                        """))
                .singleElement()
                .asString()
                .contains("'${context.nmuber}' is neither in the 'properties'");
        assertThat(mistakes("""
                        input: {type: strange}
                        steps: [{name: a, tool: s.t}]
                        """)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "steps: []", "steps: 5", "text", "{\"steps\": }", "a: b: c", "steps: [*nothing]"})
    void invalidWorkflowIsRejected(String text) {
        assertThat(mistakes(text)).isNotEmpty();
    }

    @Test
    void aliasesAndNestingAreLimited() {
        var bomb = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]%n".formatted(i, i, i - 1, i - 1));
        }
        assertThat(mistakes(bomb.toString())).isNotEmpty();
        assertThat(mistakes("steps: " + "[".repeat(100_000))).isNotEmpty();
        assertThat(mistakes("steps: &a [*a]")).isNotEmpty();
        assertThat(mistakes("#" + "x".repeat(Workflow.MAX_BYTES)))
                .singleElement()
                .asString()
                .contains("at most");
    }

    @Test
    void mistakesNameTheFile(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("flow.yaml"), "steps: 5\n");

        assertThatThrownBy(() -> Workflow.read(file)).hasMessageStartingWith(file + ": 'steps'");
        assertThatThrownBy(() -> Workflow.read(folder.resolve("none.yaml"))).hasMessageContaining("none.yaml");
    }

    @Test
    void workflowsOfTheDocumentationAreValid() throws Exception {
        var page = Files.readString(Path.of("../docs/workflows.md"));
        var blocks = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains("steps:"))
                .toList();

        assertThat(blocks).isNotEmpty();
        for (var block : blocks) {
            assertThat(Workflow.parse(block).steps()).isNotEmpty();
        }
    }
}
