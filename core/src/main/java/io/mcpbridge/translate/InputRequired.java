package io.mcpbridge.translate;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;

/** What modern clients are answered that have to give something first. */
final class InputRequired {

    private InputRequired() {}

    /**
     * The result that asks.
     *
     * @param requests raw JSON by key
     * @param state what the client gives back
     */
    static Outcome asking(MessageId id, Map<String, String> requests, String state) {
        var json = "{\"resultType\":\"input_required\",\"inputRequests\":%s,\"requestState\":%s}";
        return Outcome.answered(Response.result(id, json.formatted(Json.object(requests), JsonText.quote(state))));
    }

    /** The same once more, because {@code request} brought no answers that will do. */
    static Outcome askingAgain(Request request, Map<String, String> requests) {
        return asking(request.id(), requests, request.text(Part.REQUEST_STATE).orElse(""));
    }

    /** The error for a client that did not declare what it would be asked. */
    static Outcome impossible(MessageId id, String server, Collection<Needs> missing) {
        var required = new LinkedHashSet<>(missing);
        var words = "server '%s' asks for what the client did not declare in its capabilities: %s"
                .formatted(
                        server,
                        String.join(", ", required.stream().map(Needs::toString).toList()));
        var data = "{\"requiredCapabilities\":" + Needs.json(required) + "}";
        return Outcome.answered(Response.error(id, MultiRound.CAPABILITY_MISSING, words, data));
    }

    /** Whether a call came to nothing: no answer, an error, or a tool that says so. */
    static boolean isFailure(Outcome outcome) {
        return !(outcome instanceof Outcome.Answered answered)
                || answered.response().isError()
                || answered.response().raw(Part.IS_ERROR).filter("true"::equals).isPresent();
    }
}
