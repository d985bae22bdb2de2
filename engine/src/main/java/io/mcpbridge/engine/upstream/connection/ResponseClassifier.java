package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Cause;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies the response of a server as an outcome of the call or as a wrong assumption of the bridge. Stateless. */
final class ResponseClassifier {
    private static final String METHOD_NOT_FOUND = "-32601";

    /** The error about a header that is missing or contradicts the body. */
    private static final String HEADER_MISMATCH = "-32020";

    private static final String UNSUPPORTED_VERSION = "-32022";
    private static final String INPUT_REQUIRED = "input_required";
    private static final Set<String> FINAL_TYPES = Set.of("complete", "task");
    private static final int LONGEST_QUOTE = 100;

    private ResponseClassifier() {}

    /** Returns the wrong assumption that made a server of this era reject a call; empty for other responses. */
    static Optional<Cause> rejection(Response response, Era era) {
        if (era == Era.MODERN ? isVersionRefusal(response) : asksForModern(response)) {
            return Optional.of(Cause.WRONG_ERA);
        }
        return era == Era.MODERN && isError(response, HEADER_MISMATCH)
                ? Optional.of(Cause.WRONG_HEADERS)
                : Optional.empty();
    }

    /** The failure of a call that the server refused for this cause, if it is not sent again. */
    static Failure rejected(Cause cause, String server) {
        var what = cause == Cause.WRONG_ERA
                ? "refuses the protocol version that it was found to speak"
                : "finds the headers of the request at odds with its body";
        return Failure.of(ErrorCode.UPSTREAM_INVALID, "server '%s' %s".formatted(server, what))
                .withDelivery(Delivery.REJECTED)
                .withServer(server);
    }

    /** The failure of a request whose answer cannot be read. */
    static Failure unreadable(String server, String why) {
        return Failure.of(ErrorCode.UPSTREAM_INVALID, "server '%s' broke the protocol: %s".formatted(server, why))
                .withDelivery(Delivery.ANSWERED);
    }

    /** Whether an error says that the server does not speak the version of the request, as only modern servers do. */
    static boolean isVersionRefusal(Response response) {
        return isError(response, UNSUPPORTED_VERSION);
    }

    static boolean isMethodUnknown(Response response) {
        return isError(response, METHOD_NOT_FOUND);
    }

    private static boolean isError(Response response, String code) {
        return response.raw(MessageField.ERROR_CODE).filter(code::equals).isPresent();
    }

    /**
     * Whether a server that began with a handshake wants a modern revision from now on. The code alone does not say so:
     * such a server may use it for something else.
     */
    static boolean asksForModern(Response response) {
        try {
            return isVersionRefusal(response)
                    && supportedVersions(response).stream()
                            .anyMatch(text -> ProtocolVersion.KNOWN.contains(new ProtocolVersion(text))
                                    && new ProtocolVersion(text).era() == Era.MODERN);
        } catch (BridgeException | IllegalArgumentException unreadable) {
            return false;
        }
    }

    /** The revisions that a version refusal names, in its order. */
    static List<String> supportedVersions(Response refusal) {
        var data = refusal.raw(MessageField.ERROR_DATA)
                .filter(raw -> raw.startsWith("{"))
                .orElse("{}");
        return versions(JsonCodec.rawMembers(data).get("supported"));
    }

    /** The texts in a JSON array of revisions; none where it is no array. */
    static List<String> versions(@Nullable String raw) {
        if (raw == null || !raw.startsWith("[")) {
            return List.of();
        }
        return JsonCodec.rawElements(raw).stream()
                .filter(element -> element.startsWith("\"") && element.length() > 2)
                .map(JsonStrings::decode)
                .filter(text -> !text.isBlank())
                .toList();
    }

    /**
     * Whether a modern endpoint never rejects a request with this status, so that the URL may be wrong or the server a
     * legacy one.
     */
    static boolean isUnlikeModern(OptionalInt status) {
        return status.isPresent() && Set.of(404, 405).contains(status.getAsInt());
    }

    /**
     * The outcome of a call with this response. In both eras a result must be an object; in the modern one its type
     * must be known too.
     */
    static Outcome outcome(Call call, Response response, String server, Era era) {
        if (!response.isError() && response.bytes().get(response.start(MessageField.RESULT)) != '{') {
            return invalid(call, server, "the result %s, which must be an object", response.raw(MessageField.RESULT));
        }
        if (era == Era.MODERN
                && response.has(MessageField.RESULT_TYPE)
                && !isKnown(call, response.text(MessageField.RESULT_TYPE))) {
            return invalid(call, server, "the resultType %s", response.raw(MessageField.RESULT_TYPE));
        }
        return new Outcome.Answered(response, 1, era);
    }

    private static boolean isKnown(Call call, Optional<String> type) {
        return type.filter(FINAL_TYPES::contains).isPresent()
                || (type.filter(INPUT_REQUIRED::equals).isPresent()
                        && Methods.mayNeedInput(call.request().method()));
    }

    private static Outcome invalid(Call call, String server, String what, Optional<String> raw) {
        var message = "server '%s' broke the protocol: it answered '%s' with %s"
                .formatted(
                        server,
                        call.request().method(),
                        what.formatted(VisibleText.beginning(raw.orElse(""), LONGEST_QUOTE)));
        return Outcome.failed(Failure.of(ErrorCode.UPSTREAM_INVALID, message)
                .withDelivery(Delivery.ANSWERED)
                .withServer(server));
    }
}
