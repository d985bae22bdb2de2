package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What the answers of servers must be like, and which of them are about our dressing and not about the call. */
final class ServerAnswers {
    /** The error about a header that is missing or not the same as the body. */
    private static final String HEADER_MISMATCH = "-32020";

    private static final String INPUT_REQUIRED = "input_required";
    private static final Set<String> FINAL_TYPES = Set.of("complete", "task");

    private ServerAnswers() {}

    /** Whether a modern server found fault with the headers that the bridge made. */
    static boolean isAboutHeaders(Response response) {
        return response.raw(Part.ERROR_CODE).filter(HEADER_MISMATCH::equals).isPresent();
    }

    /** Whether a modern endpoint would not turn a request away like this: the URL may be wrong, or the server older. */
    static boolean isUnlikeModern(OptionalInt status) {
        return status.isPresent() && Set.of(404, 405).contains(status.getAsInt());
    }

    /**
     * The outcome of a call that was answered so: a result that is no object is no answer in either era, nor is a kind
     * of result that nobody knows in the modern one.
     */
    static Outcome outcome(Call call, Response response, String server, Era era) {
        if (!response.isError() && response.bytes().get(response.start(Part.RESULT)) != '{') {
            return invalid(call, server, "the result %s, which must be an object", response.raw(Part.RESULT));
        }
        if (era == Era.MODERN && response.has(Part.RESULT_TYPE) && !isKnown(call, response.text(Part.RESULT_TYPE))) {
            return invalid(call, server, "the resultType %s", response.raw(Part.RESULT_TYPE));
        }
        return Outcome.answered(response);
    }

    private static boolean isKnown(Call call, Optional<String> type) {
        return type.filter(FINAL_TYPES::contains).isPresent()
                || (type.filter(INPUT_REQUIRED::equals).isPresent()
                        && Methods.mayNeedInput(call.request().method()));
    }

    private static Outcome invalid(Call call, String server, String what, Optional<String> raw) {
        var words = "server '%s' broke the protocol: it answered '%s' with %s"
                .formatted(server, call.request().method(), what.formatted(cut(raw.orElse(""))));
        return Outcome.failed(Failure.of(ErrorCode.UPSTREAM_INVALID, words)
                .withDelivery(Delivery.ANSWERED)
                .withServer(server));
    }

    private static String cut(String raw) {
        return raw.length() <= 100 ? raw : raw.substring(0, 100) + "…";
    }
}
