package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.util.OptionalInt;
import java.util.Set;

/** What the answers of modern servers must be like, and which of them are about our dressing and not about the call. */
final class ModernAnswers {
    /** The error about a header that is missing or not the same as the body. */
    private static final String HEADER_MISMATCH = "-32020";

    private static final String INPUT_REQUIRED = "input_required";
    private static final Set<String> FINAL_TYPES = Set.of("complete", "task");
    private static final Set<String> MAY_NEED_INPUT =
            Set.of(Methods.TOOLS_CALL, Methods.PROMPTS_GET, Methods.RESOURCES_READ);

    private ModernAnswers() {}

    /** Whether the server found fault with the headers that the bridge made. */
    static boolean isAboutHeaders(Response response) {
        return response.raw(Part.ERROR_CODE).filter(HEADER_MISMATCH::equals).isPresent();
    }

    /** Whether a modern endpoint would not turn a request away like this: the URL may be wrong, or the server older. */
    static boolean isUnlikeModern(OptionalInt status) {
        return status.isPresent() && Set.of(404, 405).contains(status.getAsInt());
    }

    /** The outcome of a call that was answered so; a kind of result that nobody knows is no answer. */
    static Outcome outcome(Call call, Response response, String server) {
        if (!response.has(Part.RESULT_TYPE)
                || isKnown(call, response.text(Part.RESULT_TYPE).orElse(""))) {
            return Outcome.answered(response);
        }
        var words = "server '%s' broke the protocol: it answered '%s' with the resultType %s"
                .formatted(
                        server,
                        call.request().method(),
                        cut(response.raw(Part.RESULT_TYPE).orElse("")));
        return Outcome.failed(Failure.of(ErrorCode.UPSTREAM_INVALID, words)
                .withDelivery(Delivery.ANSWERED)
                .withServer(server));
    }

    private static boolean isKnown(Call call, String type) {
        return FINAL_TYPES.contains(type)
                || (type.equals(INPUT_REQUIRED)
                        && MAY_NEED_INPUT.contains(call.request().method()));
    }

    private static String cut(String raw) {
        return raw.length() <= 100 ? raw : raw.substring(0, 100) + "…";
    }
}
