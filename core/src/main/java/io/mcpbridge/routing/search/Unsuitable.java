package io.mcpbridge.routing.search;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Arguments that one of the bridge's own tools cannot use; a model is told so as by any other tool. */
final class Unsuitable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Unsuitable(String message) {
        super(message, null, false, false);
    }

    static Unsuitable because(String words) {
        return new Unsuitable(words);
    }

    /** The raw members of the arguments, none of them another than {@code known}. */
    static Map<String, String> members(Call call, Collection<String> known) {
        var raw = call.request().raw(Part.ARGUMENTS).orElse("{}");
        Map<String, String> members;
        try {
            members = Json.rawMembers(raw);
        } catch (ProtocolException notOne) {
            throw because(
                    "the arguments must be one object: " + notOne.failure().message());
        }
        for (var key : members.keySet()) {
            if (!known.contains(key)) {
                throw because("there is no argument '%s'; there are %s".formatted(key, known));
            }
        }
        return members;
    }

    /** A text among the arguments. */
    static Optional<String> text(Map<String, String> members, String key) {
        var raw = members.get(key);
        if (raw != null && !raw.startsWith("\"")) {
            throw because("'%s' is %s but must be a text".formatted(key, cut(raw)));
        }
        return Optional.ofNullable(raw).map(JsonText::decode);
    }

    static String cut(String raw) {
        return raw.length() <= 40 ? raw : raw.substring(0, 40) + "…";
    }

    void tell(Call call, Reply reply) {
        var text = JsonText.quote(String.valueOf(getMessage()));
        var result = "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"isError\":true}".formatted(text);
        reply.done(Outcome.answered(Response.result(call.request().id(), result)));
    }
}
