package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.NameFilter;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.pipeline.Destination;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.pipeline.ResolveStage;
import io.mcpbridge.engine.translation.LegacyStructuredContent;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Resolves each request to its destination: the server that owns it, or the bridge, which answers lists for all
 * servers. Any thread may use it; nothing here waits.
 */
public final class Router implements ResolveStage.Resolver {
    private static final String NO_COMPLETIONS = "{\"completion\":{\"values\":[],\"hasMore\":false}}";

    /** The error code of the legacy revisions for a resource that does not exist. */
    private static final int RESOURCE_NOT_FOUND = -32002;

    private static final String TOO_MANY =
            "%d resources are subscribed to already, which is the limit 'limits.subscribed-resources' per session of a client;"
                    + " unsubscribe from some of them";

    private volatile RoutingTable routes;
    private final ListResponder lists;
    private final NameOwnerLookup names;
    private final ResourceOwners owners;
    private final ExtensionMethods extensions;

    public Router(RoutingTable routes, Timekeeper timekeeper, System.Logger logger) {
        this.routes = routes;
        var aggregator = new ListAggregator(timekeeper, logger);
        this.lists = new ListResponder(aggregator);
        this.names = new NameOwnerLookup(aggregator);
        this.owners = new ResourceOwners(aggregator);
        this.extensions = new ExtensionMethods(owners);
    }

    public RoutingTable routes() {
        return routes;
    }

    /** Replaces the whole table; calls under way keep theirs. */
    public void replace(RoutingTable newRoutes) {
        routes = newRoutes;
    }

    /** Ends the subscriptions to resources that their callers may no longer see. */
    public void endHiddenSubscriptions() {
        var table = routes;
        table.all()
                .forEach(route -> route.upstream()
                        .subscriptions()
                        .removeUnless((caller, uri) ->
                                table.filter(ListKind.RESOURCES, caller).test(uri)));
    }

    /** The raw JSON of a tool's {@code inputSchema} in the last list; does not ask a server. */
    public Optional<String> toolSchema(Caller caller, String exposed) {
        return NameOwnerLookup.known(routes, caller, ListKind.TOOLS, exposed)
                .flatMap(ToolDefinition::inputSchema)
                .map(Json::text);
    }

    /**
     * What each server that clients share said about itself at its last connection, by the name that clients see, in the
     * order of the configuration. A caller whose tools are limited sees only servers of which a listed tool is admitted.
     */
    public Map<String, ServerProfile> profiles(Caller caller) {
        var table = routes;
        var profiles = new LinkedHashMap<String, ServerProfile>();
        table.all().stream()
                .filter(route -> route.upstream().settings().shared() && isSeen(table, route, caller))
                .forEach(route -> route.upstream().profile().ifPresent(said -> profiles.put(route.alias(), said)));
        return profiles;
    }

    private static boolean isSeen(RoutingTable table, ServerRoute route, Caller caller) {
        var granted = table.visibility().of(caller.principal().name()).tools();
        return granted.equals(NameFilter.ALL)
                || route.tools().of(caller).cached().stream()
                        .flatMap(tool -> route.expose(ListKind.TOOLS, table.names(), tool.name()).stream())
                        .anyMatch(granted::admits);
    }

    /** Passes the tools that a caller sees to {@code then}, at once if every server's list is fresh. */
    void shownTools(Call call, Consumer<MergedList<ToolDefinition>> then) {
        lists.shownTools(routes, call, then);
    }

    /**
     * Forwards a client's notification that belongs to no call to the servers that have a session for this client
     * alone.
     */
    public void forward(Caller caller, Notification notification) {
        routes.all().forEach(route -> route.upstream().notify(caller, notification));
    }

    /** Whether the last list for the caller has the tool or prompt that {@code call} names; does not ask a server. */
    public boolean lists(Call call) {
        var kind = ListKind.named(call.request().method());
        return kind.isPresent()
                && call.request()
                        .text(MessageField.NAME)
                        .flatMap(name -> NameOwnerLookup.known(routes, call.caller(), kind.get(), name))
                        .isPresent();
    }

    @Override
    public void resolve(Call call, Consumer<Destination> found, Reply rejected) {
        var table = routes;
        switch (call.request().method()) {
            case Methods.TOOLS_CALL ->
                names.find(
                        table, call, ListKind.TOOLS, name(call), rejected, target -> found.accept(tool(target, call)));
            case Methods.PROMPTS_GET ->
                names.find(
                        table,
                        call,
                        ListKind.PROMPTS,
                        name(call),
                        rejected,
                        target -> found.accept(prompt(target, call)));
            case Methods.TOOLS_LIST -> found.accept(lists.toolsDestination(table));
            case Methods.PROMPTS_LIST -> found.accept(lists.destination(table, ListKind.PROMPTS));
            case Methods.RESOURCES_LIST -> found.accept(lists.destination(table, ListKind.RESOURCES));
            case Methods.RESOURCES_TEMPLATES_LIST -> found.accept(lists.destination(table, ListKind.TEMPLATES));
            case Methods.RESOURCES_READ ->
                withOwner(table, call, rejected, owner -> found.accept(resource(owner, call)));
            case Methods.RESOURCES_SUBSCRIBE ->
                withOwner(
                        table,
                        call,
                        rejected,
                        owner -> found.accept(
                                Destination.ofBridge(passed -> subscribe(table, owner.upstream(), passed))));
            case Methods.RESOURCES_UNSUBSCRIBE ->
                found.accept(Destination.ofBridge(passed -> unsubscribe(table, passed)));
            case Methods.COMPLETION_COMPLETE -> completion(table, call, found, rejected);
            default -> extensions.resolve(table, call, found, rejected);
        }
    }

    @Override
    public AuditedCall named(Call call) {
        var table = routes;
        var name = subject(call.request());
        return Optional.of(call.request().method())
                .filter(method -> table.names() == ToolNaming.PREFIX && !method.equals(Methods.RESOURCES_READ))
                .flatMap(method -> table.parsePrefixed(
                        method.equals(Methods.TOOLS_CALL) ? ListKind.TOOLS : ListKind.PROMPTS, name))
                .filter(own -> table.isConfigured(own.server()))
                .map(own -> AuditedCall.of(call, own.server(), own.name(), "", ""))
                .orElseGet(() -> AuditedCall.of(call, "", name, "", ""));
    }

    /** Returns the name or URI that a request is about. */
    private static String subject(Request request) {
        return request.method().equals(Methods.COMPLETION_COMPLETE)
                ? completed(request)
                : request.text(MessageField.NAME)
                        .or(() -> request.text(MessageField.URI))
                        .orElse("");
    }

    /** Returns the destination of a call that names what it is for as its server does. */
    public static Destination destination(ServerRoute route, Call call) {
        var subject = subject(call.request());
        return call.request().method().equals(Methods.TOOLS_CALL)
                ? tool(new NameOwnerLookup.Target(route, subject), call)
                : Destination.ofServer(route.server(), subject, route.sandboxLevel(), route.handler());
    }

    private static @Nullable String name(Call call) {
        return call.request().text(MessageField.NAME).orElse(null);
    }

    private static Destination tool(NameOwnerLookup.Target target, Call call) {
        var route = target.route();
        var caller = call.caller();
        var definition = route.tools()
                .find(caller, target.name())
                .map(ToolDefinition::json)
                .map(Json::text)
                .orElse("");
        return new Destination(
                route.server(),
                target.name(),
                call.request().text(MessageField.NAME).orElse(target.name()),
                definition,
                () -> route.lists().hints(caller, target.name()),
                route.sandboxLevel(),
                passed -> {
                    if (caller.era() == Era.LEGACY) {
                        PipelineCall.of(passed)
                                .mapOutcome(outcome -> LegacyStructuredContent.downgrade(
                                        outcome, () -> route.tools().find(caller, target.name())));
                    }
                    rename(PipelineCall.of(passed), target.name());
                    route.handler().handle(passed);
                });
    }

    private static Destination prompt(NameOwnerLookup.Target target, Call call) {
        return renamed(target.route(), target.name())
                .withExposedName(call.request().text(MessageField.NAME).orElse(target.name()));
    }

    /** Returns a destination at which {@code params.name} differs from the exposed name. */
    static Destination renamed(ServerRoute route, String own) {
        return Destination.ofServer(route.server(), own, route.sandboxLevel(), call -> {
            rename(PipelineCall.of(call), own);
            route.handler().handle(call);
        });
    }

    private static void rename(PipelineCall call, String own) {
        if (call.request().text(MessageField.NAME).filter(own::equals).isEmpty()) {
            var splice = call.request().splice().replaceText(MessageField.NAME, own);
            call.request((Request) splice.done());
        }
    }

    private void withOwner(RoutingTable table, Call call, Reply rejected, Consumer<ServerRoute> then) {
        var uri = call.request().text(MessageField.URI);
        if (uri.isEmpty()) {
            rejectIncomplete(call, rejected, "uri");
            return;
        }
        owners.find(
                table,
                call,
                uri.get(),
                owner -> owner.ifPresentOrElse(
                        then, () -> rejected.complete(Outcome.answered(notFound(call, uri.get())))));
    }

    private static Destination resource(ServerRoute owner, Call call) {
        var uri = call.request().text(MessageField.URI).orElse("");
        return Destination.ofServer(owner.server(), uri, owner.sandboxLevel(), owner.handler());
    }

    private static Response notFound(Call call, String uri) {
        var isLegacy = call.caller().era() == Era.LEGACY;
        var code = isLegacy ? RESOURCE_NOT_FOUND : ErrorCode.INVALID_PARAMS.jsonRpcCode();
        var data = "{\"uri\":" + JsonStrings.quote(uri) + "}";
        return Response.error(call.request().id(), code, "Unknown resource: " + uri, data);
    }

    private static void subscribe(RoutingTable table, Upstream owner, CallContext call) {
        var sink = call.caller().notificationSink();
        var limit = owner.parts().environment().limits().subscribedResources();
        if (subscriptions(table, sink) >= limit) {
            call.complete(Outcome.failed(Failure.of(ErrorCode.OVERLOADED, TOO_MANY.formatted(limit))));
            return;
        }
        owner.subscribe(call, call.request().text(MessageField.URI).orElseThrow(), sink);
    }

    private static int subscriptions(RoutingTable table, NotificationSink sink) {
        return table.all().stream()
                .mapToInt(route -> route.upstream().subscriptions().count(sink))
                .sum();
    }

    /** Unsubscribes at every server, since the owner may have changed; a server without the subscription ignores it. */
    private static void unsubscribe(RoutingTable table, CallContext call) {
        var uri = call.request().text(MessageField.URI);
        if (uri.isEmpty()) {
            rejectIncomplete(call, call, "uri");
            return;
        }
        table.all()
                .forEach(route -> route.upstream()
                        .subscriptions()
                        .remove(uri.get(), call.caller().notificationSink()));
        call.complete(Outcome.answered(Response.result(call.request().id(), "{}")));
    }

    /** Resolves a completion to the server of the prompt or resource that it refers to. */
    private void completion(RoutingTable table, Call call, Consumer<Destination> found, Reply rejected) {
        var ref = ref(call.request());
        switch (text(ref, "type")) {
            case "ref/prompt" ->
                names.find(table, call, ListKind.PROMPTS, text(ref, "name"), rejected, target -> {
                    ref.put("name", JsonStrings.quote(target.name()));
                    var renamed = call.request().splice().replace(MessageField.REF, JsonCodec.object(ref));
                    found.accept(completion(target.route(), (Request) renamed.done()));
                });
            case "ref/resource" -> {
                var uri = text(ref, "uri");
                owners.findReferred(
                        table,
                        call,
                        uri,
                        owner -> owner.ifPresentOrElse(
                                route -> found.accept(completion(route, call.request())),
                                () -> rejectParams(rejected, "Unknown resource: " + uri)));
            }
            default ->
                rejectParams(
                        rejected,
                        "'params.ref' is %s but must have the type 'ref/prompt' with a name or 'ref/resource' with a uri"
                                .formatted(call.request().raw(MessageField.REF).orElse("missing")));
        }
    }

    private static Destination completion(ServerRoute route, Request request) {
        return Destination.ofServer(
                route.server(), completed(request), route.sandboxLevel(), call -> complete(route, request, call));
    }

    /** Answers for a server without completions with an empty result, since the client made no error. */
    private static void complete(ServerRoute route, Request request, CallContext call) {
        var profile = route.upstream().profile();
        if (profile.isEmpty() || completes(profile.get())) {
            PipelineCall.of(call).request(request);
            route.handler().handle(call);
        } else {
            call.complete(Outcome.answered(Response.result(call.request().id(), NO_COMPLETIONS)));
        }
    }

    /** Whether the server supports completions; the first revision has no capability for them. */
    private static boolean completes(ServerProfile profile) {
        return profile.declares("completions") || profile.version().equals(ProtocolVersion.V2024_11_05);
    }

    /** Returns the name or URI that a completion refers to. */
    private static String completed(Request request) {
        var ref = ref(request);
        return text(ref, text(ref, "type").equals("ref/prompt") ? "name" : "uri");
    }

    private static Map<String, String> ref(Request request) {
        var raw = request.raw(MessageField.REF).orElse("{}");
        try {
            return raw.startsWith("{") ? JsonCodec.rawMembers(raw) : Map.of();
        } catch (ProtocolException duplicateKey) {
            return Map.of();
        }
    }

    private static String text(Map<String, String> ref, String key) {
        return JsonCodec.text(ref.getOrDefault(key, "")).orElse("");
    }

    static void rejectIncomplete(Call call, Reply reply, String param) {
        var words = "'%s' needs 'params.%s', a text";
        rejectParams(reply, words.formatted(call.request().method(), param));
    }

    static void rejectParams(Reply reply, String why) {
        reply.complete(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, why)));
    }
}
