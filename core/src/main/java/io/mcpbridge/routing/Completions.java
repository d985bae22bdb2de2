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

    void complete(Routes table, Call call, Reply reply) {
        var ref = ref(call.request());
        switch (text(ref, "type")) {
            case "ref/prompt" -> ofPrompt(table, call, reply, ref);
            case "ref/resource" -> ofResource(table, call, reply, ref);
            default ->
                Refusals.invalid(
                        reply,
                        "'params.ref' is %s but must have the type 'ref/prompt' with a name or 'ref/resource' with a uri"
                                .formatted(call.request().raw(Part.REF).orElse("missing")));
        }
    }

    private void ofPrompt(Routes table, Call call, Reply reply, Map<String, String> ref) {
        var name = text(ref, "name");
        names.find(table, call, ListKind.PROMPTS, name, new NameOwners.Hearer() {
            @Override
            public void found(NameOwners.Target target) {
                ref.put("name", JsonText.quote(target.name()));
                var request = call.request()
                        .splice()
                        .replace(Part.REF, Json.object(ref))
                        .done();
                send(target.route(), call.withRequest((Request) request), reply);
            }

            @Override
            public void unknown(Failure why) {
                reply.done(Outcome.failed(why));
            }
        });
    }

    private void ofResource(Routes table, Call call, Reply reply, Map<String, String> ref) {
        var uri = text(ref, "uri");
        resources.findReferred(
                table,
                call,
                uri,
                owner -> owner.ifPresentOrElse(
                        route -> send(route, call, reply), () -> Refusals.invalid(reply, "Unknown resource: " + uri)));
    }

    /** A server that does not complete has nothing to suggest, which is no error of the client. */
    private static void send(Route route, Call call, Reply reply) {
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
