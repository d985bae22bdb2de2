package io.mcpbridge.serve;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;

/** Answers requests about tools; there is nothing else here. Any thread; never waits. */
final class ServedTools implements Handler {
    private final ToolRegistry registry;
    private final RunParts parts;

    ServedTools(ToolRegistry registry, RunParts parts) {
        this.registry = registry;
        this.parts = parts;
    }

    @Override
    public void handle(Call call, Reply reply) {
        switch (call.request().method()) {
            case Methods.TOOLS_LIST -> list(call, reply);
            case Methods.TOOLS_CALL -> callTool(call, reply);
            default -> {
                var words = "'%s' is not served here; there are only tools"
                        .formatted(call.request().method());
                refuse(reply, ErrorCode.METHOD_NOT_FOUND, words);
            }
        }
    }

    private void list(Call call, Reply reply) {
        if (call.request().has(Part.CURSOR)) {
            refuse(
                    reply,
                    ErrorCode.INVALID_PARAMS,
                    "the cursor %s is none of this list, which has one page; begin without one"
                            .formatted(call.request().raw(Part.CURSOR).orElse("")));
            return;
        }
        reply.done(Outcome.answered(Response.result(call.request().id(), registry.list())));
    }

    private void callTool(Call call, Reply reply) {
        var name = call.request().text(Part.NAME);
        if (name.isEmpty()) {
            refuse(reply, ErrorCode.INVALID_PARAMS, "'tools/call' needs the tool's name in 'params.name', a text");
            return;
        }
        registry.find(name.get())
                .ifPresentOrElse(
                        tool -> new ToolRun(tool, registry.mode(), call, reply, parts).begin(),
                        () -> unknown(name.get(), call, reply));
    }

    /** Nobody is admitted to a tool that is not there. */
    private void unknown(String name, Call call, Reply reply) {
        var words = "unknown tool: '%s'; 'tools/list' tells those that there are".formatted(name);
        var why = Failure.of(ErrorCode.INVALID_PARAMS, words);
        parts.trail().denied(call, why);
        reply.done(Outcome.failed(why));
    }

    private static void refuse(Reply reply, ErrorCode code, String why) {
        reply.done(Outcome.failed(Failure.of(code, why)));
    }
}
