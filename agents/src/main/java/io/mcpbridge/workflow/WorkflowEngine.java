package io.mcpbridge.workflow;

import io.mcpbridge.Bridge;
import io.mcpbridge.agents.ToolSource;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.server.ToolCall;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolHints;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Executes workflows over the servers of a bridge or of a daemon. Any thread may use it; it needs no closing.
 *
 * <p>All calls of a run are in one trace, by which the audit of a bridge or daemon finds them. A step calls its tool once. Only {@code
 * onError: retry} repeats calls, and only those that did not reach the tool, or may run twice, as the operator or a trusted
 * server declares. Other steps with such tools follow the retry policy of the bridge, unless they have a time-out.
 */
public final class WorkflowEngine {
    private final ToolSource servers;
    private final ArgumentCheck arguments = new ArgumentCheck();

    private WorkflowEngine(ToolSource servers) {
        this.servers = servers;
    }

    /** Calls the servers of a bridge, which the caller closes. */
    public static WorkflowEngine of(Bridge bridge) {
        return new WorkflowEngine(ToolSource.of(bridge));
    }

    /** Calls other servers, such as those behind a daemon. */
    public static WorkflowEngine of(ToolSource servers) {
        return new WorkflowEngine(servers);
    }

    /**
     * Executes a workflow and waits for its end. A step that fails ends the run, unless it says otherwise; the result
     * says what ran.
     *
     * @throws ConfigurationException if the context, a tool or its literal arguments are wrong; then no step has run
     * @throws WorkflowInterruptedException with what ran, after the steps that ran have ended
     * @throws InterruptedException before the first step
     */
    public WorkflowResult execute(Workflow workflow, Map<String, ?> context) throws InterruptedException {
        return execute(workflow, WorkflowContext.of(context));
    }

    /** Does the same with a user to ask, a listener or a trace. */
    public WorkflowResult execute(Workflow workflow, WorkflowContext context) throws InterruptedException {
        var checked = checked(workflow, context.values());
        var trace = context.trace().isPresent() ? context.trace() : newTrace();
        return new WorkflowRun(workflow, servers, checked.listed.tools, context.with(checked.values, trace)).run();
    }

    private static TraceParent newTrace() {
        var random = ThreadLocalRandom.current();
        var traceId = Call.newCorrelationId(random) + Call.newCorrelationId(random);
        return TraceParent.of(traceId, Call.newCorrelationId(random), "01");
    }

    /**
     * Checks the context of a workflow, its tools and their literal arguments against the servers, without calling a tool.
     *
     * @throws ConfigurationException with every mistake
     * @throws BridgeException if a server cannot list its tools
     */
    public void check(Workflow workflow, Map<String, ?> context) throws InterruptedException {
        for (var why : checked(workflow, context).listed.failures.values()) {
            throw why;
        }
    }

    private Checked checked(Workflow workflow, Map<String, ? extends @Nullable Object> context)
            throws InterruptedException {
        var listed = list(workflow);
        var mistakes = new MistakeCollector();
        var values = workflow.input().complete(context, mistakes);
        listed.check(workflow, arguments, mistakes);
        mistakes.throwIfAny();
        return new Checked(listed, values);
    }

    /** Lists the tools of the servers that a workflow uses, each server once. */
    private Listed list(Workflow workflow) throws InterruptedException {
        var listed = new Listed(new HashMap<>(), new LinkedHashMap<>());
        var names = workflow.steps().stream()
                .filter(step -> step.tool().isPresent())
                .map(WorkflowStep::server)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        for (var server : names) {
            try {
                servers.listTools(server).forEach(tool -> listed.tools.put(server + "." + tool.name(), tool));
            } catch (BridgeException failed) {
                listed.failures.put(server, failed);
            }
        }
        return listed;
    }

    /**
     * Serves a workflow as a tool under its name, with its input as the schema. The hints of the tool are the worst of
     * its steps; questions go to the client of the call, and the calls of a run are in the trace of that call.
     *
     * @throws IllegalArgumentException if the name or the input of the workflow does not suit a tool
     */
    public void serve(Workflow workflow, ToolServer server) throws InterruptedException {
        var listed = list(workflow);
        var hints = WorkflowRun.worst(workflow.steps().stream()
                .flatMap(step -> step.tool().stream())
                .map(listed::hints)
                .toList());
        var config = ToolConfig.of(workflow.input().schema().text())
                .withDescription(workflow.description())
                .withHints(hints)
                .inParallel();
        server.registerTool(workflow.name(), config, call -> served(workflow, call));
    }

    private @Nullable Object served(Workflow workflow, ToolCall call) throws InterruptedException {
        var ended = new AtomicInteger();
        var result = execute(
                workflow,
                WorkflowContext.of(call.arguments())
                        .withTrace(call.trace())
                        .withElicitationHandler(request -> call.client()
                                .elicit(
                                        request.message(),
                                        request.requestedSchema().orElseThrow()))
                        .withListener(new WorkflowListener() {
                            @Override
                            public void ended(WorkflowStep step, StepResult end) {
                                call.client()
                                        .progress(
                                                ended.incrementAndGet(),
                                                workflow.steps().size(),
                                                "%s: %s".formatted(step.name(), end.state()));
                            }
                        }));
        if (result.failure().isPresent()) {
            throw CallException.of(result.failure().get());
        }
        return result.value();
    }

    /** @param values the context with what it left out */
    private record Checked(Listed listed, Map<String, @Nullable Object> values) {}

    /**
     * The tools of the servers of a workflow.
     *
     * @param tools the definitions by {@code server.tool}
     * @param failures by server, why its tools are unknown
     */
    private record Listed(Map<String, ToolDefinition> tools, Map<String, BridgeException> failures) {

        ToolHints hints(String tool) {
            return Optional.ofNullable(tools.get(tool))
                    .map(ToolDefinition::hints)
                    .orElse(ToolHints.UNDECLARED);
        }

        void check(Workflow workflow, ArgumentCheck arguments, MistakeCollector mistakes) {
            for (var step : workflow.steps()) {
                if (step.tool().isEmpty() || failures.get(step.server()) instanceof CallException) {
                    continue;
                }
                var tool = tools.get(step.tool().get());
                var failed = failures.get(step.server());
                if (failed != null) {
                    mistakes.add("step '%s': %s".formatted(step.name(), failed.getMessage()));
                } else if (tool == null) {
                    mistakes.add("step '%s': there is no tool '%s'; %slist the tools with 'mcp-bridge tools'"
                            .formatted(
                                    step.name(),
                                    step.tool().get(),
                                    Nearest.question(step.tool().get(), tools.keySet())));
                } else {
                    arguments
                            .issues(tool, step.params())
                            .forEach(issue -> mistakes.add("step '%s': 'params': %s".formatted(step.name(), issue)));
                }
            }
        }
    }
}
