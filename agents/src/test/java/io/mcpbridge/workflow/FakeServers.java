package io.mcpbridge.workflow;

import io.mcpbridge.CallOptions;
import io.mcpbridge.agents.ToolSource;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import io.mcpbridge.workflow.StepResult.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server {@code s} whose tools a test controls, with the calls that came, and runs of workflows over it. */
final class FakeServers implements ToolSource {
    static final String ANY = "{\"type\":\"object\"}";

    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<CallOptions> options = new CopyOnWriteArrayList<>();
    private final List<ToolDefinition> tools = new ArrayList<>();
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();

    /** Handles the calls of a tool. */
    interface Handler {
        /** Returns the {@code structuredContent}, or a whole result. */
        Object handle(Map<String, ?> arguments) throws Exception;
    }

    FakeServers() {
        with("echo", arguments -> arguments);
    }

    FakeServers with(String name, Handler handler) {
        return with(name, ANY, "{}", handler);
    }

    /** A tool whose annotations are trusted. */
    FakeServers with(String name, String schema, String annotations, Handler handler) {
        var tool = ToolDefinition.parse(
                "{\"name\":\"%s\",\"inputSchema\":%s,\"annotations\":%s}".formatted(name, schema, annotations));
        return with(tool.withHints(tool.hints().asTrusted()), handler);
    }

    FakeServers with(ToolDefinition tool, Handler handler) {
        tools.add(tool);
        handlers.put(tool.name(), handler);
        return this;
    }

    /** Adds a tool {@code fail} that fails this many times. */
    void failing(String annotations, ErrorCode code, Delivery delivery, int times) {
        var attempts = new AtomicInteger();
        with("fail", ANY, annotations, arguments -> {
            if (attempts.incrementAndGet() <= times) {
                throw failure(code, delivery);
            }
            return Map.of("attempt", attempts.get());
        });
    }

    WorkflowResult run(String yaml) throws InterruptedException {
        return run(yaml, Map.of());
    }

    WorkflowResult run(String yaml, Map<String, ?> context) throws InterruptedException {
        return WorkflowEngine.of(this).execute(Workflow.parse(yaml), context);
    }

    static State state(WorkflowResult result, String step) {
        return result.steps().stream()
                .filter(each -> each.step().equals(step))
                .findFirst()
                .orElseThrow()
                .state();
    }

    void remove(String name) {
        handlers.remove(name);
    }

    static ToolResult result(String json) {
        return ToolResult.parse("tool", json, "id", Duration.ZERO);
    }

    static CallException failure(ErrorCode code, Delivery delivery) {
        return CallException.of(Failure.of(code, "it broke").withDelivery(delivery));
    }

    @Override
    public List<ToolDefinition> listTools(String server) {
        if (!server.equals("s")) {
            throw CallException.of(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "there is no such server"));
        }
        return tools;
    }

    @Override
    public CompletableFuture<ToolResult> callTool(
            String server, String tool, Map<String, ?> arguments, CallOptions given) {
        calls.add(tool);
        options.add(given);
        var result = new CompletableFuture<ToolResult>();
        var thread = new Thread(() -> {
            try {
                var handler = handlers.get(tool);
                if (handler == null) {
                    throw failure(ErrorCode.INVALID_PARAMS, Delivery.ANSWERED);
                }
                result.complete(result(handler.handle(arguments)));
            } catch (Exception failed) {
                result.completeExceptionally(failed);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static ToolResult result(Object returned) {
        if (returned instanceof ToolResult whole) {
            return whole;
        }
        var members = new LinkedHashMap<String, Object>();
        members.put("content", List.of(Map.of("type", "text", "text", "said")));
        members.put("structuredContent", returned);
        return result(Json.of(members).text());
    }
}
