package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.pipeline.Destination;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import java.util.List;
import java.util.function.Consumer;

/**
 * Resolves a method that the specification does not define to the server that lists it as an extension; of several such
 * servers, to the one that {@code params.name} or {@code params.uri} belongs to. Any thread; never waits.
 */
record ExtensionMethods(ResourceOwners owners) {
    private static final String TASKS = "tasks/";

    void resolve(RoutingTable table, Call call, Consumer<Destination> found, Reply rejected) {
        var request = call.request();
        var serving = table.all().stream()
                .filter(route -> route.upstream().settings().extensions().contains(request.method()))
                .toList();
        var name = request.text(MessageField.NAME);
        var uri = request.text(MessageField.URI);
        var own = name.flatMap(each -> table.parsePrefixed(ListKind.TOOLS, each));
        var named = own.flatMap(prefixed -> table.find(prefixed.server())).filter(serving::contains);
        if (named.isPresent()) {
            resolve(table, named.get(), own.get().name(), call, found, rejected);
        } else if (serving.size() == 1) {
            resolve(table, serving.get(0), name.or(() -> uri).orElse(""), call, found, rejected);
        } else if (serving.isEmpty() || uri.isEmpty()) {
            reject(call, rejected, serving);
        } else {
            owners.find(
                    table,
                    call,
                    uri.get(),
                    owner -> owner.filter(serving::contains)
                            .ifPresentOrElse(
                                    route -> resolve(table, route, uri.get(), call, found, rejected),
                                    () -> reject(call, rejected, serving)));
        }
    }

    /**
     * Applies the rules for tools and resources, since the method may use the tool or resource that it names.
     *
     * @param own the name or URI in the request, as the server knows it
     */
    private static void resolve(
            RoutingTable table, ServerRoute route, String own, Call call, Consumer<Destination> found, Reply rejected) {
        var exposed = route.expose(ListKind.TOOLS, table.names(), own)
                .orElseGet(() -> table.names().join(route.upstream().settings(), own));
        var isNamed = call.request().text(MessageField.NAME).isPresent();
        var hidden = call.request()
                .text(MessageField.URI)
                .filter(table.filter(ListKind.RESOURCES, call.caller()).negate());
        if (isNamed && !table.filter(ListKind.TOOLS, call.caller()).test(exposed)) {
            Router.rejectParams(rejected, "Unknown tool: " + exposed);
        } else if (hidden.isPresent()) {
            Router.rejectParams(rejected, "Unknown resource: " + hidden.get());
        } else if (isNamed) {
            found.accept(Router.renamed(route, own).withExposedName(exposed));
        } else {
            found.accept(Destination.ofServer(route.server(), own, route.sandboxLevel(), route.handler()));
        }
    }

    private static void reject(Call call, Reply rejected, List<ServerRoute> serving) {
        var method = call.request().method();
        var words = "unknown method '%s': %s".formatted(VisibleText.of(method), whyUnknown(method, serving));
        rejected.complete(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, words)));
    }

    private static String whyUnknown(String method, List<ServerRoute> serving) {
        if (method.startsWith(TASKS)) {
            return "the bridge offers no tasks, so call the tool and wait for its result";
        }
        if (serving.isEmpty()) {
            return Methods.isKnown(method) ? "clients cannot call it" : "no server has it in 'extensions'";
        }
        return "several servers have it in 'extensions', so name one in 'params.name', as in 'server__name', or in"
                + " 'params.uri'";
    }
}
