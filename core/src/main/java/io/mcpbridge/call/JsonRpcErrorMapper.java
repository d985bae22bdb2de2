package io.mcpbridge.call;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Response;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns failures into JSON-RPC errors, and back. The only place that knows both. */
public final class JsonRpcErrorMapper {

    /** Codes by which servers report transient errors: internal error, time-out, overload. */
    private static final Set<Integer> MAY_HEAL = Set.of(-32603, -32001, -32000);

    /** The reasons of a bridge that are the code for its caller, too; others are errors of its answer. */
    private static final Set<ErrorCode> REASONS = Set.of(ErrorCode.AUDIT_UNAVAILABLE, ErrorCode.IN_DOUBT);

    private JsonRpcErrorMapper() {}

    /**
     * The error for the client; {@code error.data.bridge} tells that the bridge made it and how far the request got.
     */
    public static Response toResponse(MessageId id, Failure failure, String correlationId) {
        return Response.error(id, code(failure), failure.message(), data(failure, correlationId));
    }

    /** The same for a message whose id could not be read; the response has no id then. */
    public static Response toResponse(Failure failure) {
        return Response.error(code(failure), failure.message(), data(failure, ""));
    }

    /** Reads a server's error response as a failure that was answered; its code tells whether it is retryable. */
    public static Failure toFailure(Response error) {
        return toFailure(error, "the server answered with error %d: %s");
    }

    private static Failure toFailure(Response error, String message) {
        var code = error.raw(MessageField.ERROR_CODE)
                .flatMap(NumberText::readInt)
                .orElse(ErrorCode.INTERNAL_ERROR.jsonRpcCode());
        var words = error.text(MessageField.ERROR_MESSAGE).orElse("");
        var serverError =
                new ServerError(code, words, error.raw(MessageField.ERROR_DATA).orElse(""));
        return Failure.of(ErrorCode.SERVER_ERROR, message.formatted(code, words))
                .withDelivery(Delivery.ANSWERED)
                .withRetryable(MAY_HEAL.contains(code))
                .withServerError(serverError);
    }

    /**
     * The failure for a program that made the call. If the peer is a bridge that made the error, it names the bridge and
     * takes over what the bridge knows: how far the call got, and whether it may be repeated.
     */
    public static Failure ofCaller(Response error) {
        var bridge =
                members(members(error.raw(MessageField.ERROR_DATA).orElse("")).getOrDefault("bridge", ""));
        if (!says(bridge, "origin", "mcp-bridge")) {
            return toFailure(error);
        }
        var code = oneOf(REASONS, bridge, "reason").orElse(ErrorCode.SERVER_ERROR);
        var delivery = oneOf(List.of(Delivery.values()), bridge, "delivery").orElse(Delivery.ANSWERED);
        var isRetryable = "true".equals(bridge.get("retryable"));
        var failure = toFailure(error, "the bridge answered with error %d: %s")
                .withCode(code)
                .withDelivery(delivery)
                .withRetryable(isRetryable);
        if (code == ErrorCode.AUDIT_UNAVAILABLE) {
            failure = failure.withMessage("the bridge refused it: "
                    + error.text(MessageField.ERROR_MESSAGE).orElse(""));
        }
        if (delivery == Delivery.UNKNOWN && isRetryable) {
            failure = failure.withHarmless();
        }
        var wait = NumberText.readInt(bridge.getOrDefault("retryAfterMs", "")).map(Duration::ofMillis);
        return wait.map(failure::withRetryAfter).orElse(failure);
    }

    private static <E extends Enum<E>> Optional<E> oneOf(Collection<E> known, Map<String, String> members, String key) {
        return known.stream().filter(each -> says(members, key, word(each))).findFirst();
    }

    private static boolean says(Map<String, String> members, String key, String text) {
        return JsonCodec.text(members.getOrDefault(key, ""))
                .filter(text::equals)
                .isPresent();
    }

    /** The raw members of an object; none if it cannot be read. */
    private static Map<String, String> members(String object) {
        try {
            return object.startsWith("{") ? JsonCodec.rawMembers(object) : Map.of();
        } catch (ProtocolException duplicateKey) {
            return Map.of();
        }
    }

    private static int code(Failure failure) {
        return failure.serverError()
                .filter(error -> failure.code() == ErrorCode.SERVER_ERROR)
                .map(ServerError::code)
                .orElse(failure.code().jsonRpcCode());
    }

    private static String data(Failure failure, String correlationId) {
        var json = new StringBuilder(200).append("{\"bridge\":{\"origin\":\"mcp-bridge\"");
        member(json, "reason", word(failure.code()));
        if (failure.origin() != failure.code()) {
            member(json, "cause", word(failure.origin()));
        }
        member(json, "delivery", word(failure.delivery()));
        // A client that reads only this field must not repeat what may have run, unless it may run twice.
        var isSafe = failure.retryable() && (failure.delivery() != Delivery.UNKNOWN || failure.isHarmless());
        json.append(",\"retryable\":").append(isSafe);
        if (!failure.server().isEmpty()) {
            member(json, "server", failure.server());
        }
        json.append(",\"attempts\":").append(failure.attempts());
        failure.retryAfter().ifPresent(wait -> json.append(",\"retryAfterMs\":").append(wait.toMillis()));
        if (!correlationId.isEmpty()) {
            member(json, "correlationId", correlationId);
        }
        if (failure.code() != ErrorCode.SERVER_ERROR) {
            failure.serverError().ifPresent(error -> original(json, error));
        }
        return json.append("}}").toString();
    }

    /** The server's own error, where the response does not pass it on unchanged. */
    private static void original(StringBuilder json, ServerError error) {
        json.append(",\"serverError\":{\"code\":").append(error.code());
        member(json, "message", error.message());
        json.append('}');
    }

    private static void member(StringBuilder json, String name, String value) {
        json.append(",\"").append(name).append("\":").append(JsonStrings.quote(value));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
