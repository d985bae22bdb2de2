package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The error -32042 of a legacy server, which asks for a visit to some URLs before the same call. A modern client receives
 * {@code input_required} instead. The bridge keeps no state for it: the client's token has everything. Any thread.
 */
record UrlElicitationTranslator(TranslatedServer server, ResumeTokens tokens) {

    private static final RequiredCapability URL = new RequiredCapability("elicitation", "url");

    /**
     * The outcome for the modern client of {@code call}.
     *
     * @param until when the token expires, in nanoseconds of the monotonic clock
     */
    Outcome translate(Call call, Outcome outcome, long until) {
        if (!(outcome instanceof Outcome.Answered answered) || answered.era() != Era.LEGACY) {
            return outcome;
        }
        var requests = requests(answered.response());
        if (requests.isEmpty()) {
            return outcome;
        }
        var id = call.request().id();
        if (!URL.isIn(call.caller().capabilities())) {
            return MultiRoundMessages.capabilityMissing(id, server.name(), List.of(URL));
        }
        var token = new ResumeTokens.Repeat(until, JsonCodec.object(requests));
        return MultiRoundMessages.inputRequired(id, requests, tokens.seal(server, call, token));
    }

    /** Whether an error is -32042 with URLs that can be read. */
    static boolean isReadable(Response error) {
        return !requests(error).isEmpty();
    }

    /** The input requests, raw JSON by key; empty for other errors and for what cannot be read. */
    private static Map<String, String> requests(Response response) {
        if (!response.isError() || code(response) != MultiRoundMessages.URL_ELICITATION_REQUIRED) {
            return Map.of();
        }
        try {
            var data =
                    JsonCodec.rawMembers(response.raw(MessageField.ERROR_DATA).orElse("{}"));
            var requests = new LinkedHashMap<String, String>();
            for (var elicitation : JsonCodec.rawElements(data.getOrDefault("elicitations", "[]"))) {
                requests.put("url-" + (requests.size() + 1), request(elicitation));
            }
            return requests.size() <= InputRequest.MAX_AT_ONCE ? requests : Map.of();
        } catch (ProtocolException unreadable) {
            return Map.of();
        }
    }

    private static int code(Response error) {
        return JsonRpcErrorMapper.toFailure(error).serverError().orElseThrow().code();
    }

    private static String request(String elicitation) {
        var params = new LinkedHashMap<>(JsonCodec.rawMembers(InputRequest.modern(elicitation)));
        params.put("mode", "\"url\"");
        var method = JsonStrings.quote(Methods.ELICITATION_CREATE);
        return "{\"method\":" + method + ",\"params\":" + JsonCodec.object(params) + "}";
    }

    /** The outcome of a call that is not repeated; empty if the user accepted all URLs, so that it is. */
    Optional<Outcome> refusal(Call call, ResumeTokens.Repeat token, InputResponses responses) {
        var request = call.request();
        var requests = JsonCodec.rawMembers(token.requests());
        if (!requests.keySet().stream().allMatch(key -> responses.fits(key, Methods.ELICITATION_CREATE))) {
            return Optional.of(MultiRoundMessages.inputRequiredAgain(request, requests));
        }
        if (requests.keySet().stream().allMatch(responses::isAccepted)) {
            return Optional.empty();
        }
        var words = "'%s' of server '%s' cannot go on, because the user declined to visit the address it asked for"
                .formatted(request.method(), server.name());
        return Optional.of(
                request.method().equals(Methods.TOOLS_CALL)
                        ? MultiRoundMessages.toolError(request.id(), words)
                        : Outcome.failed(Failure.of(ErrorCode.INVALID_REQUEST, words)));
    }
}
