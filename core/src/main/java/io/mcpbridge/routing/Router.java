package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.pipeline.audit.AuditTargets;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.lists.ListKind;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Hands each request to the server that owns it, and answers lists for all servers together. Any thread. */
public final class Router implements Handler, AuditTargets {
    private volatile Routes routes;
    private final Lists lists;
    private final Pages pages = new Pages();
    private final NameOwners names;
    private final Resources resources;
    private final Completions completions;
    private final Extensions extensions;

    public Router(Routes routes, Timekeeper timekeeper, System.Logger logger) {
        this.routes = routes;
        this.lists = new Lists(timekeeper, logger);
        this.names = new NameOwners(lists);
        var owners = new ResourceOwners(lists);
        this.resources = new Resources(owners);
        this.completions = new Completions(names, owners);
        this.extensions = new Extensions(owners);
    }

    public Routes routes() {
        return routes;
    }

    /** Exchanges the whole table; calls under way keep theirs. */
    public void replace(Routes newRoutes) {
        routes = newRoutes;
    }

    /** The raw JSON of a tool's {@code inputSchema}, as far as it is known without asking a server. */
    public Optional<String> toolSchema(Caller caller, String exposed) {
        return NameOwners.known(routes, caller, ListKind.TOOLS, exposed).flatMap(ToolDefinition::inputSchema);
    }

    /** Hands the tools that a caller sees to {@code then}, at once if every server's are known and still hold. */
    public void shownTools(Call call, Consumer<List<ShownTool>> then) {
        var table = routes;
        var filter = table.filter(ListKind.TOOLS, call.caller());
        lists.merged(table, call, ListKind.TOOLS, list -> {
            var shown = LegacyTools.shown(table, call.caller(), list.only(filter));
            then.accept(shown.exposed().entrySet().stream()
                    .map(each -> new ShownTool(
                            shown.owner(each.getKey()).map(OwnName::server).orElse(""), each.getValue()))
                    .toList());
        });
    }

    /** Passes on what a client tells outside of its calls, to the servers that have a session for it alone. */
    public void told(Caller caller, Notification notification) {
        routes.all().forEach(route -> route.upstream().tell(caller, notification));
    }

    /** Whether the tool or prompt that {@code call} names is listed, as far as that is known without asking a server. */
    public boolean lists(Call call) {
        var kind = ListKind.named(call.request().method());
        return kind.isPresent()
                && call.request()
                        .text(Part.NAME)
                        .flatMap(name -> NameOwners.known(routes, call.caller(), kind.get(), name))
                        .isPresent();
    }

    @Override
    public void handle(Call call, Reply reply) {
        var found = call.destination();
        if (found.isPresent()) {
            found.get().handle(call, reply);
            return;
        }
        var table = routes;
        switch (call.request().method()) {
            case Methods.TOOLS_CALL -> byName(table, call, reply, ListKind.TOOLS);
            case Methods.PROMPTS_GET -> byName(table, call, reply, ListKind.PROMPTS);
            case Methods.TOOLS_LIST ->
                list(table, call, reply, ListKind.TOOLS, list -> LegacyTools.shown(table, call.caller(), list));
            case Methods.PROMPTS_LIST -> list(table, call, reply, ListKind.PROMPTS, UnaryOperator.identity());
            case Methods.RESOURCES_LIST -> list(table, call, reply, ListKind.RESOURCES, UnaryOperator.identity());
            case Methods.RESOURCES_TEMPLATES_LIST ->
                list(table, call, reply, ListKind.TEMPLATES, UnaryOperator.identity());
            case Methods.RESOURCES_READ -> resources.read(table, call, reply);
            case Methods.RESOURCES_SUBSCRIBE -> resources.subscribe(table, call, reply);
            case Methods.RESOURCES_UNSUBSCRIBE -> resources.unsubscribe(table, call, reply);
            case Methods.COMPLETION_COMPLETE -> completions.complete(table, call, reply);
            default -> extensions.handle(table, call, reply);
        }
    }

    @Override
    public void find(Call call, AuditTargets.Hearer hearer) {
        var table = routes;
        var refusals = new ForAudit.Refused(hearer);
        switch (call.request().method()) {
            case Methods.TOOLS_CALL -> named(table, call, refusals, ListKind.TOOLS, ForAudit.tool(call, hearer));
            case Methods.PROMPTS_GET -> named(table, call, refusals, ListKind.PROMPTS, ForAudit.prompt(hearer));
            case Methods.RESOURCES_READ -> resources.find(table, call, refusals, ForAudit.resource(call, hearer));
            case Methods.COMPLETION_COMPLETE -> completions.find(table, call, refusals, ForAudit.completion(hearer));
            default -> Refusals.unknownMethod(refusals, call.request().method());
        }
    }

    @Override
    public AuditedCall named(Request request) {
        return ForAudit.named(routes, request);
    }

    private void byName(Routes table, Call call, Reply reply, ListKind<?> kind) {
        named(table, call, reply, kind, (target, exposed) -> send(target, exposed, kind, call, reply));
    }

    /** Hands a call on to its server, which knows the tool or prompt by another name. */
    static void send(NameOwners.Target target, String exposed, ListKind<?> kind, Call call, Reply reply) {
        var told = LegacyTools.answered(call.caller(), kind, target, reply);
        target.route().handler().handle(renamed(call, exposed, target.name()), told);
    }

    private void named(
            Routes table, Call call, Reply refusals, ListKind<?> kind, BiConsumer<NameOwners.Target, String> then) {
        var name = call.request().text(Part.NAME);
        if (name.isEmpty()) {
            Refusals.incomplete(call, refusals, "name");
            return;
        }
        names.find(table, call, kind, name.get(), new NameOwners.Hearer() {
            @Override
            public void found(NameOwners.Target target) {
                then.accept(target, name.get());
            }

            @Override
            public void unknown(Failure why) {
                refusals.done(Outcome.failed(why));
            }
        });
    }

    private static Call renamed(Call call, String exposed, String own) {
        if (exposed.equals(own)) {
            return call;
        }
        var splice = call.request().splice().replace(Part.NAME, JsonText.quote(own));
        return call.renamed((Request) splice.done(), exposed);
    }

    private <T> void list(Routes table, Call call, Reply reply, ListKind<T> kind, UnaryOperator<MergedList<T>> shown) {
        var position = pages.position(call);
        if (position.isEmpty()) {
            var words = "the cursor %s is none of this list for this user; begin again without one";
            Refusals.invalid(
                    reply, words.formatted(call.request().raw(Part.CURSOR).orElse("")));
            return;
        }
        var filter = table.filter(kind, call.caller());
        Consumer<MergedList<T>> then = list -> pages.page(call, kind, shown.apply(list.only(filter)), position.get())
                .ifPresentOrElse(
                        page -> reply.done(
                                Outcome.answered(Response.result(call.request().id(), page))),
                        () -> Refusals.invalid(
                                reply,
                                "the list of %s has changed since the cursor was given; begin again without one"
                                        .formatted(kind)));
        // Who goes on with a list wants the rest of that one.
        if (call.request().has(Part.CURSOR)) {
            lists.known(table, call, kind, then);
        } else {
            lists.merged(table, call, kind, then);
        }
    }
}
