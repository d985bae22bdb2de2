package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.util.Optional;

/**
 * Hands methods that the specification does not know to the server whose extension they are: the only one there is,
 * or the one that {@code params.name} or {@code params.uri} tells. Any thread; never waits.
 */
final class Extensions {
    private static final String TASKS = "tasks/";

    private final ResourceOwners resources;

    Extensions(ResourceOwners resources) {
        this.resources = resources;
    }

    void handle(Routes table, Call call, Reply reply) {
        var method = call.request().method();
        if (method.startsWith(TASKS)) {
            var words = "'%s' is not served: the bridge offers no tasks, so call the tool and wait for its result";
            Refusals.unknownMethod(reply, words.formatted(method));
        } else if (Methods.isKnown(method)) {
            Refusals.unknownMethod(reply, "unknown method '%s'".formatted(method));
        } else if (table.all().size() == 1) {
            table.all().iterator().next().handler().handle(call, reply);
        } else {
            send(table, call, reply);
        }
    }

    private void send(Routes table, Call call, Reply reply) {
        var own = call.request().text(Part.NAME).flatMap(OwnName::parsePrefixed);
        var route = own.flatMap(name -> table.find(name.server()));
        if (route.isPresent()) {
            route.get().handler().handle(renamed(call, own.get().name()), reply);
            return;
        }
        var uri = call.request().text(Part.URI);
        if (uri.isEmpty()) {
            refuse(call, reply);
            return;
        }
        resources.find(table, call, uri.get(), owner -> toOwner(owner, call, reply));
    }

    private static void toOwner(Optional<Route> owner, Call call, Reply reply) {
        owner.ifPresentOrElse(route -> route.handler().handle(call, reply), () -> refuse(call, reply));
    }

    private static Call renamed(Call call, String name) {
        var splice = call.request().splice().replace(Part.NAME, JsonText.quote(name));
        return call.withRequest((Request) splice.done());
    }

    private static void refuse(Call call, Reply reply) {
        var words = "unknown method '%s': if it is an extension of a server, name that in 'params.name', as in"
                + " 'server__name', or in 'params.uri', since several servers are served here";
        Refusals.unknownMethod(reply, words.formatted(call.request().method()));
    }
}
