package io.mcpbridge.cli;

import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.agents.ToolSource;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.workflow.StepResult;
import io.mcpbridge.workflow.StepResult.State;
import io.mcpbridge.workflow.Workflow;
import io.mcpbridge.workflow.WorkflowContext;
import io.mcpbridge.workflow.WorkflowEngine;
import io.mcpbridge.workflow.WorkflowInterruptedException;
import io.mcpbridge.workflow.WorkflowListener;
import io.mcpbridge.workflow.WorkflowResult;
import io.mcpbridge.workflow.WorkflowStep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mcp-bridge run}: runs a workflow over the servers of the daemon. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a workflow over the servers of the daemon and prints its result.",
            "Shows each step on a terminal, and asks there what the workflow or a server asks."
        },
        footer = {
            "",
            "Examples:",
            "  mcp-bridge run flow.yaml '{\"number\": 42}' --dry-run",
            "  mcp-bridge run flow.yaml '{\"number\": 42}'"
        })
final class WorkflowCommand implements Callable<Integer> {
    /** Longer than the usual time-outs of servers, which the daemon knows. */
    private static final Duration LONGEST_CALL = Duration.ofMinutes(5);

    private static final Map<State, String> COLOURS =
            Map.of(State.OK, "green", State.FAILED, "red", State.SKIPPED, "yellow", State.NOT_RUN, "yellow");

    @Parameters(index = "0", paramLabel = "FILE", description = "The workflow, in YAML or JSON.")
    private Path file;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "JSON",
            defaultValue = "{}",
            description = "The context, a JSON object.")
    private String context;

    @Option(
            names = "--dry-run",
            description = "Check the file, the context, the tools and their arguments; call no tool.")
    private boolean isDryRun;

    @Option(names = "--json", description = "Print the results of all steps as JSON.")
    private boolean isJson;

    @Mixin
    private DaemonClientOptions daemon;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws Exception {
        Logging.show(Level.OFF);
        var workflow = Workflow.read(file);
        var values = CallCommand.object("context", context);
        var questions = new TerminalQuestions(output::error);
        var options = ConnectionOptions.DEFAULTS
                .withTimeout(LONGEST_CALL)
                .withRetryPolicy("none")
                .withoutSchemaCheck()
                .withElicitationHandler(questions);
        try (var connection = daemon.connect(options)) {
            var engine = WorkflowEngine.of(ToolSource.of(connection));
            if (isDryRun) {
                engine.check(workflow, values);
                plan(workflow);
                return ExitCode.OK;
            }
            var given =
                    WorkflowContext.of(values).withElicitationHandler(questions).withListener(new Progress(output));
            return SignalInterrupt.during(() -> execute(engine, workflow, given));
        }
    }

    /** Also says what ran if it is interrupted. */
    private int execute(WorkflowEngine engine, Workflow workflow, WorkflowContext given) {
        try {
            return print(engine.execute(workflow, given));
        } catch (WorkflowInterruptedException interrupted) {
            return print(interrupted.result());
        } catch (InterruptedException beforeTheFirstStep) {
            output.remark("the workflow was interrupted before its first step");
            return ExitCode.TOOL_ERROR;
        }
    }

    private void plan(Workflow workflow) {
        var table = new Table("STEP", "CALLS", "AFTER");
        workflow.steps()
                .forEach(step -> table.row(
                        step.name(), step.tool().orElse("asks the user"), String.join(", ", step.dependsOn())));
        table.lines().forEach(output::line);
        output.styled("@|green ok|@ every tool exists and takes these arguments; no tool was called");
    }

    private int print(WorkflowResult result) {
        output.progress("  trace    " + result.trace().traceId());
        if (isJson) {
            output.json(result.json().text());
        } else if (result.isOk()) {
            output.line(
                    result.value() instanceof String text
                            ? VisibleText.lines(text)
                            : VisibleText.json(result.resultJson().text()));
        }
        if (result.isOk()) {
            return ExitCode.OK;
        }
        var why = CallException.of(result.failure().orElseThrow());
        output.remark("%s; trace %s".formatted(why.getMessage(), result.trace().traceId()));
        return ExitCode.of(why);
    }

    /** Shows the steps on a terminal. */
    private record Progress(Output output) implements WorkflowListener {

        @Override
        public void begun(WorkflowStep step) {
            output.progress("  …        %s %s"
                    .formatted(step.name(), VisibleText.of(step.tool().orElse(""))));
        }

        @Override
        public void ended(WorkflowStep step, StepResult result) {
            var word = "@|%s %-8s|@".formatted(COLOURS.get(result.state()), result.state());
            output.progress("  %s %s, %d ms"
                    .formatted(word, step.name(), result.duration().toMillis()));
        }
    }
}
