package io.mcpbridge.examples;

import io.mcpbridge.Bridge;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.workflow.Workflow;
import io.mcpbridge.workflow.WorkflowEngine;
import io.mcpbridge.workflow.WorkflowResult;
import java.nio.file.Path;
import java.util.Map;

/** Runs a workflow, and serves one as a tool. */
public final class Workflows {

    private Workflows() {}

    /** Runs a workflow over the servers of a bridge. */
    public static WorkflowResult run(Bridge bridge, Path file) throws InterruptedException {
        var workflow = Workflow.read(file);
        var result = WorkflowEngine.of(bridge).execute(workflow, Map.of("number", 42));
        return result;
    }

    /** Serves a workflow. */
    public static void serve(Bridge bridge, Path file, ToolServer server) throws InterruptedException {
        var workflow = Workflow.read(file);
        WorkflowEngine.of(bridge).serve(workflow, server);
    }
}
