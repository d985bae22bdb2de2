package io.mcpbridge.workflow;

import io.mcpbridge.CallOptions;
import io.mcpbridge.agents.ToolSource;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.workflow.StepResult.State;
import io.mcpbridge.workflow.WorkflowStep.OnError;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * One run of a workflow. Decides on the thread of the caller which step begins when; the steps run on threads of the run,
 * which end with it.
 */
final class WorkflowRun {
    private static final int MAX_PARALLEL = 32;

    private final Workflow workflow;
    private final Map<String, ToolDefinition> tools;
    private final StepRunner.Means means;

    /** What to do, on the thread of the caller, for each step that has run. */
    private final LinkedBlockingQueue<Runnable> ends = new LinkedBlockingQueue<>();

    /** The result of each step that has ended. */
    private final Map<String, StepResult> results = new LinkedHashMap<>();

    private final Map<String, Object> values = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> context;
    private final Map<String, WorkflowStep> waiting = new LinkedHashMap<>();
    private int running;
    private @Nullable Failure stopped;

    /**
     * @param given has the trace of the run
     * @param tools the definitions by {@code server.tool}, as far as they are known
     */
    WorkflowRun(Workflow workflow, ToolSource servers, Map<String, ToolDefinition> tools, WorkflowContext given) {
        this.workflow = workflow;
        this.tools = tools;
        this.context = new LinkedHashMap<>(given.values());
        this.means = new StepRunner.Means(servers, given, CallOptions.DEFAULTS.withTrace(given.trace()), threads());
        workflow.steps().forEach(step -> waiting.put(step.name(), step));
    }

    private static ExecutorService threads() {
        return Executors.newCachedThreadPool(work -> {
            var thread = new Thread(work, "mcp-bridge-workflow");
            thread.setDaemon(true);
            return thread;
        });
    }

    WorkflowResult run() throws InterruptedException {
        try {
            begin();
            while (running > 0) {
                ends.take().run();
                begin();
            }
            return result();
        } catch (InterruptedException interrupted) {
            means.threads().shutdownNow();
            throw interrupted();
        } finally {
            means.threads().shutdownNow();
        }
    }

    /** Waits for the steps that run, whose threads are interrupted too, to say what ran. */
    private WorkflowInterruptedException interrupted() throws InterruptedException {
        while (running > 0) {
            ends.take().run();
        }
        stopped = Failure.of(ErrorCode.CANCELLED, "the workflow was interrupted");
        return new WorkflowInterruptedException(result());
    }

    /** Begins the steps that wait for no other. Steps wait only for those above them, so one pass is enough. */
    private void begin() {
        for (var step : List.copyOf(waiting.values())) {
            if (stopped == null && running < MAX_PARALLEL && results.keySet().containsAll(step.dependsOn())) {
                waiting.remove(step.name());
                begin(step);
            }
        }
    }

    private void begin(WorkflowStep step) {
        var scope = scope();
        if (step.uses().stream().anyMatch(this::isSkipped) || !step.when().holds(scope)) {
            ended(step, StepResult.without(step, State.SKIPPED));
            return;
        }
        means.context().listener().begun(step);
        running++;
        var runner = new StepRunner(step, means, scope, hints(step));
        means.threads().execute(() -> {
            var result = runner.run();
            ends.add(() -> {
                running--;
                ended(step, result);
            });
        });
    }

    private boolean isSkipped(String step) {
        var result = results.get(step);
        return result != null && result.state() == State.SKIPPED;
    }

    /** What references point to now. Steps keep it, so it is a copy. */
    private Map<String, Object> scope() {
        return Map.of(
                "steps", Collections.unmodifiableMap(new LinkedHashMap<>(values)),
                "context", Collections.unmodifiableMap(new LinkedHashMap<>(context)));
    }

    private ToolHints hints(WorkflowStep step) {
        return step.tool()
                .flatMap(tool -> Optional.ofNullable(tools.get(tool)))
                .map(ToolDefinition::hints)
                .orElse(ToolHints.UNDECLARED);
    }

    private void ended(WorkflowStep step, StepResult result) {
        results.put(step.name(), result);
        if (result.state() != State.SKIPPED) {
            values.put(step.name(), result.value());
        }
        if (result.state() == State.OK && !step.assign().isEmpty()) {
            context.put(step.assign(), result.data());
        }
        var why = result.failure();
        if (why.isPresent() && step.onError() != OnError.CONTINUE && stopped == null) {
            stopped = why.get()
                    .withMessage("step '%s' failed: %s"
                            .formatted(step.name(), why.get().message()));
        }
        means.context().listener().ended(step, result);
    }

    private WorkflowResult result() {
        var ordered = ordered();
        var why = stopped;
        if (why == null) {
            try {
                return new WorkflowResult(
                        ordered, null, value(), means.context().trace());
            } catch (CallException noValue) {
                why = noValue.failure()
                        .withMessage("'result': " + noValue.failure().message());
            }
        }
        var mayRunTwice = workflow.steps().stream().allMatch(this::mayRunTwice);
        return new WorkflowResult(
                ordered,
                why.withMessage("%s [%s]".formatted(why.message(), WorkflowResult.summary(ordered)))
                        .withRetryable(why.retryable() && mayRunTwice),
                null,
                means.context().trace());
    }

    private List<StepResult> ordered() {
        return workflow.steps().stream()
                .map(step -> results.getOrDefault(step.name(), StepResult.without(step, State.NOT_RUN)))
                .toList();
    }

    /** Whether another run may run the step, as far as this one has run it. */
    private boolean mayRunTwice(WorkflowStep step) {
        var result = results.get(step.name());
        return result == null || !result.hasRun() || StepRunner.mayRunTwice(hints(step), result.reason());
    }

    private @Nullable Object value() {
        if (workflow.result() != null) {
            return References.resolve(workflow.result(), scope());
        }
        return ordered().get(workflow.steps().size() - 1).data();
    }

    /** The worst of the hints of some tools. */
    static ToolHints worst(Iterable<ToolHints> all) {
        var worst = new ToolHints(true, false, true, false, ToolHints.Source.SERVER);
        for (var hints : all) {
            worst = new ToolHints(
                    worst.readOnly() && hints.readOnly(),
                    worst.destructive() || (hints.destructive() && !hints.readOnly()),
                    worst.idempotent() && hints.allowsRepeating(),
                    worst.openWorld() || hints.openWorld(),
                    ToolHints.Source.SERVER);
        }
        return worst;
    }
}
