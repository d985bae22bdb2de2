package io.mcpbridge.routing;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.upstream.Upstream;
import java.util.Optional;
import java.util.function.Consumer;

/** Hands requests about one resource to the server that owns it. Any thread; never waits. */
final class Resources {
    /** What revisions of the legacy era answer for a resource that does not exist. */
    private static final int RESOURCE_NOT_FOUND = -32002;

    private static final String TOO_MANY =
            "%d resources are subscribed to already, which is the limit 'subscribed-resources' per session of a client;"
                    + " unsubscribe from some of them";

    private final ResourceOwners owners;

    Resources(ResourceOwners owners) {
        this.owners = owners;
    }

    void read(Routes table, Call call, Reply reply) {
        withOwner(table, call, reply, owner -> owner.handler().handle(call, reply));
    }

    /** Hands the owner of the resource to {@code then}; {@code refusals} hears that there is none. */
    void find(Routes table, Call call, Reply refusals, Consumer<Route> then) {
        withOwner(table, call, refusals, then);
    }

    void subscribe(Routes table, Call call, Reply reply) {
        withOwner(table, call, reply, owner -> subscribe(table, owner.upstream(), call, reply));
    }

    private static void subscribe(Routes table, Upstream owner, Call call, Reply reply) {
        var audience = call.caller().audience();
        var limit = owner.environment().bounds().subscribedResources();
        if (count(table, audience) >= limit) {
            reply.done(Outcome.failed(Failure.of(ErrorCode.OVERLOADED, TOO_MANY.formatted(limit))));
            return;
        }
        owner.subscribe(call, uri(call).orElseThrow(), audience, reply);
    }

    private static int count(Routes table, Audience audience) {
        return table.all().stream()
                .mapToInt(route -> route.upstream().subscriptions().count(audience))
                .sum();
    }

    /** Whoever owned the resource once: a server that has no such subscription takes no notice. */
    void unsubscribe(Routes table, Call call, Reply reply) {
        var uri = uri(call);
        if (uri.isEmpty()) {
            Refusals.incomplete(call, reply, "uri");
            return;
        }
        table.all()
                .forEach(route -> route.upstream()
                        .subscriptions()
                        .remove(uri.get(), call.caller().audience()));
        reply.done(Outcome.answered(Response.result(call.request().id(), "{}")));
    }

    private void withOwner(Routes table, Call call, Reply reply, Consumer<Route> then) {
        var uri = uri(call);
        if (uri.isEmpty()) {
            Refusals.incomplete(call, reply, "uri");
            return;
        }
        owners.find(
                table,
                call,
                uri.get(),
                owner -> owner.ifPresentOrElse(then, () -> reply.done(Outcome.answered(notFound(call, uri.get())))));
    }

    private static Optional<String> uri(Call call) {
        return call.request().text(Part.URI);
    }

    private static Response notFound(Call call, String uri) {
        var isLegacy = call.caller().era() == Era.LEGACY;
        var code = isLegacy ? RESOURCE_NOT_FOUND : ErrorCode.INVALID_PARAMS.jsonRpcCode();
        var data = "{\"uri\":" + JsonText.quote(uri) + "}";
        return Response.error(call.request().id(), code, "Unknown resource: " + uri, data);
    }
}
