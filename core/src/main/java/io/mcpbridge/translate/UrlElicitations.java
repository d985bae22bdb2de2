package io.mcpbridge.translate;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The error -32042 of legacy servers, which sends the user to some address before the call can be made again: modern
 * clients are asked for it like for any other input. Nothing is kept here; the client carries it all.
 */
final class UrlElicitations {
    private static final Needs URL = new Needs("elicitation", "url");

    private final ParkedCalls calls;
    private final ServerSide server;

    UrlElicitations(ParkedCalls calls, ServerSide server) {
        this.calls = calls;
        this.server = server;
    }

    /** The outcome as the client of {@code leg} can read it. */
    Outcome translate(Leg leg, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered) || !server.speaks(Era.LEGACY)) {
            return outcome;
        }
        var requests = requests(answered.response());
        if (requests.isEmpty()) {
            return outcome;
        }
        var call = leg.call();
        if (!URL.isMetBy(call.caller().capabilities())) {
            return InputRequired.impossible(call.request().id(), server.name(), List.of(URL));
        }
        var ticket = new Ticket.Again(calls.expiresAt(), Json.object(requests));
        return InputRequired.asking(call.request().id(), requests, calls.seal(server, call, ticket));
    }

    /** Whether the error names addresses that a client can be asked to send its user to. */
    static boolean isReadable(Response error) {
        return !requests(error).isEmpty();
    }

    /** What the error asks for, raw JSON by key; nothing, if it is another one or cannot be read. */
    private static Map<String, String> requests(Response response) {
        if (!response.isError() || code(response) != MultiRound.URL_ELICITATION_REQUIRED) {
            return Map.of();
        }
        try {
            var data = Json.rawMembers(response.raw(Part.ERROR_DATA).orElse("{}"));
            var requests = new LinkedHashMap<String, String>();
            for (var elicitation : Json.rawElements(data.getOrDefault("elicitations", "[]"))) {
                requests.put("url-" + (requests.size() + 1), request(elicitation));
            }
            return requests.size() <= InputRequest.MAX_AT_ONCE ? requests : Map.of();
        } catch (ProtocolException unreadable) {
            return Map.of();
        }
    }

    private static int code(Response error) {
        return JsonRpcErrors.toFailure(error).serverError().orElseThrow().code();
    }

    private static String request(String elicitation) {
        var params = new LinkedHashMap<>(Json.rawMembers(Question.modern(elicitation)));
        params.put("mode", "\"url\"");
        var method = JsonText.quote(Methods.ELICITATION_CREATE);
        return "{\"method\":" + method + ",\"params\":" + Json.object(params) + "}";
    }

    /** What the client hears instead of having its call made again; empty if the user has been everywhere. */
    Optional<Outcome> judge(Leg leg, Ticket.Again ticket, InputAnswers answers) {
        var request = leg.call().request();
        var requests = Json.rawMembers(ticket.requests());
        if (!requests.keySet().stream().allMatch(key -> answers.fits(key, Methods.ELICITATION_CREATE))) {
            return Optional.of(InputRequired.askingAgain(request, requests));
        }
        if (requests.keySet().stream().allMatch(answers::isAccepted)) {
            return Optional.empty();
        }
        var words = "'%s' of server '%s' cannot go on, because the user declined to visit the address it asked for"
                .formatted(request.method(), server.name());
        return Optional.of(declined(leg, words));
    }

    private static Outcome declined(Leg leg, String words) {
        var request = leg.call().request();
        return request.method().equals(Methods.TOOLS_CALL)
                ? Outcome.answered(Response.result(request.id(), Explained.toolError(words)))
                : Outcome.failed(Failure.of(ErrorCode.INVALID_REQUEST, words));
    }
}
