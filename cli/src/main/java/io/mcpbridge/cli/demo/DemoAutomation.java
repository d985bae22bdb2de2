package io.mcpbridge.cli.demo;

import io.mcpbridge.Connection;
import io.mcpbridge.agents.AgentResult;
import io.mcpbridge.agents.AgentRunner;
import io.mcpbridge.agents.ModelFormat;
import io.mcpbridge.agents.ModelProvider;
import io.mcpbridge.agents.ToolSource;
import io.mcpbridge.tool.Json;
import io.mcpbridge.workflow.Workflow;
import io.mcpbridge.workflow.WorkflowEngine;
import io.mcpbridge.workflow.WorkflowResult;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;

/** A workflow and an agent over servers of the demo. */
final class DemoAutomation {
    private static final Workflow WORKFLOW = Workflow.parse("""
            steps:
              - name: note
                tool: child.echo
                params: {message: '${context.message}'}
              - name: copy
                tool: local.echo
                params: {message: '${steps.note.text}'}
              - name: count
                tool: child.count
                params: {to: 2}
                when: {equals: ['${steps.copy.structuredContent.server}', unix]}
            result: ['${steps.copy.text}', '${steps.count.text}']
            """);

    /** What a model says that calls two tools and then answers. */
    private static final List<String> RESPONSES = List.of("""
            {"choices":[{"message":{"role":"assistant","tool_calls":[
             {"id":"1","type":"function","function":{"name":"child__echo","arguments":"{\\"message\\":\\"one\\"}"}},
             {"id":"2","type":"function","function":{"name":"local__echo","arguments":"{\\"message\\":\\"two\\"}"}}]}}]}
            """, """
            {"choices":[{"message":{"role":"assistant","content":"Both servers answered."}}]}
            """);

    private DemoAutomation() {}

    /** Runs the workflow, whose result is this message and {@code counted to 2}. */
    static WorkflowResult runWorkflow(Connection client, String message) throws InterruptedException {
        return WorkflowEngine.of(ToolSource.of(client)).execute(WORKFLOW, Map.of("message", message));
    }

    /** Runs an agent whose model follows a script. */
    static AgentResult runAgent(Connection client) throws InterruptedException {
        var script = new ArrayDeque<>(RESPONSES);
        var model = new ModelProvider(ModelFormat.OPENAI, request -> Json.parse(script.remove()));
        var runner = AgentRunner.of(ToolSource.of(client));
        return runner.execute("Call both servers.", runner.loadTools(List.of("child", "local")), model, "scripted");
    }
}
