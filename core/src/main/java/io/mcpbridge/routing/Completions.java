package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.lists.ListKind;
import java.util.Map;

/** Hands {@code completion/complete} to the server of the prompt or resource that it is about. Any thread. */
final class Completions {
    private static final String NOTHING = "{\"completion\":{\"values\":[],\"hasMore\":false}}";

    private final NameOwners names;
    private final ResourceOwners resources;

    Completions(NameOwners names, ResourceOwners resources) {
        this.names = names;
        this.resources = resources;
    }

    /** Where a completion leads, and the request as it is sent there. */
    interface Hearer {
        void found(Route route, Call call);
    }

    void complete(Routes table, Call call, Reply reply) {
        find(table, call, reply, (route, asked) -> send(route, asked, reply));
    }

    /** Tells {@code hearer} where the completion leads; {@code refusals} hears that it leads nowhere. */
    void find(Routes table, Call call, Reply refusals, Hearer hearer) {
        var ref = ref(call.request());
        switch (text(ref, "type")) {
            case "ref/prompt" -> ofPrompt(table, call, refusals, ref, hearer);
            case "ref/resource" -> ofResource(table, call, refusals, ref, hearer);
            default ->
                Refusals.invalid(
                        refusals,
                        "'params.ref' is %s but must have the type 'ref/prompt' with a name or 'ref/resource' with a uri"
                                .formatted(call.request().raw(Part.REF).orElse("missing")));
        }
    }

    /** What a completion is about, as its server calls it. */
    static String subject(Request request) {
        var ref = ref(request);
        return text(ref, text(ref, "type").equals("ref/prompt") ? "name" : "uri");
    }

    private void ofPrompt(Routes table, Call call, Reply refusals, Map<String, String> ref, Hearer hearer) {
        var name = text(ref, "name");
        names.find(table, call, ListKind.PROMPTS, name, new NameOwners.Hearer() {
            @Override
            public void found(NameOwners.Target target) {
                ref.put("name", JsonText.quote(target.name()));
                var request = call.request()
                        .splice()
                        .replace(Part.REF, Json.object(ref))
                        .done();
                hearer.found(target.route(), call.withRequest((Request) request));
            }

            @Override
            public void unknown(Failure why) {
                refusals.done(Outcome.failed(why));
            }
        });
    }

    private void ofResource(Routes table, Call call, Reply refusals, Map<String, String> ref, Hearer hearer) {
        var uri = text(ref, "uri");
        resources.findReferred(
                table,
                call,
                uri,
                owner -> owner.ifPresentOrElse(
                        route -> hearer.found(route, call),
                        () -> Refusals.invalid(refusals, "Unknown resource: " + uri)));
    }

    /** A server that does not complete has nothing to suggest, which is no error of the client. */
    static void send(Route route, Call call, Reply reply) {
        var profile = route.upstream().profile();
        if (profile.isEmpty() || completes(profile.get())) {
            route.handler().handle(call, reply);
        } else {
            reply.done(Outcome.answered(Response.result(call.request().id(), NOTHING)));
        }
    }

    /** In the first revision there was nothing to declare. */
    private static boolean completes(ServerProfile profile) {
        return profile.declares("completions") || profile.version().equals(ProtocolVersion.V2024_11_05);
    }

    private static Map<String, String> ref(Request request) {
        var raw = request.raw(Part.REF).orElse("{}");
        try {
            return raw.startsWith("{") ? Json.rawMembers(raw) : Map.of();
        } catch (ProtocolException doubled) {
            return Map.of();
        }
    }

    private static String text(Map<String, String> ref, String key) {
        var raw = ref.getOrDefault(key, "");
        return raw.startsWith("\"") ? JsonText.decode(raw) : "";
    }
}
