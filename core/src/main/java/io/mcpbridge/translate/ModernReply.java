package io.mcpbridge.translate;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.util.Optional;
import java.util.Set;

/**
 * The way back to a client of the modern era, which must not hear what means something there that its server cannot
 * have meant, nor get what it did not ask for. Any thread.
 *
 * @param call whose answer it is
 * @param reply hears everything else as it came
 */
record ModernReply(ServerSide server, Call call, Reply reply) implements Reply {
    private static final String TASKS = "io.modelcontextprotocol/tasks";

    /** Codes of the modern era, about its headers, capabilities and versions: older servers use them as they like. */
    private static final Set<Integer> MODERN_CODES = Set.of(-32020, MultiRound.CAPABILITY_MISSING, -32022);

    @Override
    public void event(Message progressOrLog) {
        reply.event(progressOrLog);
    }

    @Override
    public void done(Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            var misleading = answered.response().isError() ? error(answered.response()) : result(answered.response());
            reply.done(misleading
                    .map(failure -> Outcome.failed(failure.withAttempts(answered.attempts())))
                    .orElse(outcome));
        } else {
            reply.done(outcome);
        }
    }

    private Optional<Failure> error(Response response) {
        if (!server.speaks(Era.LEGACY)) {
            return Optional.empty();
        }
        var error = JsonRpcErrors.toFailure(response).serverError().orElseThrow();
        if (MODERN_CODES.contains(error.code())) {
            var words = "with the error %d, which means something else before revision 2026-07-28: %s";
            return Optional.of(
                    invalid(words.formatted(error.code(), error.message())).withServerError(error));
        }
        if (error.code() == MultiRound.URL_ELICITATION_REQUIRED && !isUrlElicitation(response)) {
            var words = "with the error %d, but not with addresses that the user could be sent to: %s";
            return Optional.of(
                    invalid(words.formatted(error.code(), error.message())).withServerError(error));
        }
        return Optional.empty();
    }

    private boolean isUrlElicitation(Response response) {
        return MultiRound.allows(call.request()) && UrlElicitations.isReadable(response);
    }

    private Optional<Failure> result(Response response) {
        if (!response.has(Part.RESULT_TYPE)) {
            return Optional.empty();
        }
        var type = response.text(Part.RESULT_TYPE).orElse("");
        if (server.speaks(Era.LEGACY) && !type.equals("complete")) {
            var raw = response.raw(Part.RESULT_TYPE).orElse("");
            return Optional.of(invalid("with the resultType %s, which no revision before 2026-07-28 has"
                    .formatted(raw.length() <= 100 ? raw : raw.substring(0, 100) + "…")));
        }
        if (type.equals("task") && !takesTasks()) {
            return Optional.of(invalid("with a task, but the client did not declare the extension '" + TASKS + "'"));
        }
        return Optional.empty();
    }

    private boolean takesTasks() {
        try {
            var extensions = Json.rawMembers(call.caller().declared()).getOrDefault("extensions", "");
            return extensions.startsWith("{") && Json.rawMembers(extensions).containsKey(TASKS);
        } catch (ProtocolException unreadable) {
            return false;
        }
    }

    private Failure invalid(String how) {
        var words = "server '%s' broke the protocol: it answered '%s' %s";
        return Failure.of(
                        ErrorCode.UPSTREAM_INVALID,
                        words.formatted(server.name(), call.request().method(), how))
                .withDelivery(Delivery.ANSWERED)
                .withServer(server.name());
    }
}
