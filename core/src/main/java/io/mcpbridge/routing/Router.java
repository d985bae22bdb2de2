package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Optional;
import java.util.stream.Collectors;

/** Hands each request to the server that owns it, and answers lists for all servers together. Any thread. */
public final class Router implements Handler {
    private volatile Routes routes;
    private final Timekeeper timekeeper;
    private final System.Logger logger;

    public Router(Routes routes, Timekeeper timekeeper, System.Logger logger) {
        this.routes = routes;
        this.timekeeper = timekeeper;
        this.logger = logger;
    }

    public Routes routes() {
        return routes;
    }

    /** Exchanges the whole table; calls under way keep theirs. */
    public void replace(Routes newRoutes) {
        routes = newRoutes;
    }

    @Override
    public void handle(Call call, Reply reply) {
        switch (call.request().method()) {
            case Methods.TOOLS_CALL -> callTool(call, reply);
            case Methods.TOOLS_LIST -> listTools(call, reply);
            default ->
                refuse(
                        reply,
                        ErrorCode.METHOD_NOT_FOUND,
                        "unknown method '%s'".formatted(call.request().method()));
        }
    }

    private void callTool(Call call, Reply reply) {
        var name = call.request().text(Part.NAME);
        if (name.isEmpty()) {
            refuse(reply, ErrorCode.INVALID_PARAMS, "'tools/call' needs 'params.name', the tool's name as a text");
            return;
        }
        var table = routes;
        if (table.names() == ToolNaming.PREFIX) {
            send(call, reply, table, ToolReference.parsePrefixed(name.get()), name.get());
            return;
        }
        callPlainly(call, reply, table, name.get());
    }

    /** Finds the owner among the tools that are known, so that a server which is slow to list keeps nobody waiting. */
    private void callPlainly(Call call, Reply reply, Routes table, String name) {
        var owners = table.all().stream()
                .filter(route -> route.tools().find(call.caller(), name).isPresent())
                .toList();
        if (owners.isEmpty()) {
            merged(call, table, lists -> send(call, reply, table, lists.owner(name), name));
            return;
        }
        var owner = owners.size() == 1
                ? Optional.of(new ToolReference(owners.get(0).server(), name))
                : Optional.<ToolReference>empty();
        send(call, reply, table, owner, name);
    }

    private static boolean isExposed(Routes table, ToolReference tool) {
        return table.names().exposes(tool.server(), tool.tool());
    }

    private void send(Call call, Reply reply, Routes table, Optional<ToolReference> reference, String exposed) {
        var route = reference.flatMap(tool -> table.find(tool.server()));
        if (route.isEmpty() || !isExposed(table, reference.get())) {
            refuse(reply, ErrorCode.INVALID_PARAMS, "Unknown tool: %s".formatted(exposed));
            return;
        }
        route.get().handler().handle(renamed(call, exposed, reference.get().tool()), reply);
    }

    private static Call renamed(Call call, String exposed, String tool) {
        if (exposed.equals(tool)) {
            return call;
        }
        var splice = call.request().splice().replace(Part.NAME, JsonText.quote(tool));
        return call.withRequest((Request) splice.done());
    }

    private void listTools(Call call, Reply reply) {
        if (call.request().has(Part.CURSOR)) {
            refuse(
                    reply,
                    ErrorCode.INVALID_PARAMS,
                    "the list of tools has one page, so there is no cursor %s"
                            .formatted(call.request().raw(Part.CURSOR).orElse("")));
            return;
        }
        merged(
                call,
                routes,
                lists -> reply.done(
                        Outcome.answered(Response.result(call.request().id(), json(lists)))));
    }

    private void merged(Call call, Routes table, java.util.function.Consumer<MergedTools.Lists> then) {
        new MergedTools(table, call, timekeeper, logger, then).begin();
    }

    private static String json(MergedTools.Lists lists) {
        return lists.exposed().stream()
                .map(ToolDefinition::json)
                .collect(Collectors.joining(",", "{\"tools\":[", "]}"));
    }

    private static void refuse(Reply reply, ErrorCode code, String message) {
        reply.done(Outcome.failed(Failure.of(code, message)));
    }
}
