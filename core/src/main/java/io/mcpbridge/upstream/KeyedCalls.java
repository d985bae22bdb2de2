package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.EnvelopeKeys;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.upstream.introduction.ServerProfile;

/**
 * Gives calls of tools a key and the time that is left, where the server at the other end is a bridge that runs what has
 * one key once. Immutable; any thread.
 *
 * @param keeper what that bridge calls itself, empty where there is none
 */
record KeyedCalls(String keeper) {
    /** For servers that keep nothing. */
    static final KeyedCalls NONE = new KeyedCalls("");

    static KeyedCalls of(ServerProfile profile) {
        var keeper = profile.keeper();
        return keeper.isEmpty() ? NONE : new KeyedCalls(keeper);
    }

    /** Notes that an attempt goes there; false if it must not. */
    boolean takes(Call call) {
        var isKeyed = call.request().method().equals(Methods.TOOLS_CALL);
        return call.idempotencyKey()
                .map(key -> key.sendTo(isKeyed ? keeper : ""))
                .orElse(true);
    }

    /** The request with its key and what is left of the attempt's time. */
    Request dress(Call call) {
        var request = call.request();
        var key = call.idempotencyKey();
        if (keeper.isEmpty() || key.isEmpty() || !request.method().equals(Methods.TOOLS_CALL)) {
            return request;
        }
        var left = Math.max(0, call.deadline().remaining().toMillis());
        var splice = request.splice()
                .putMeta(
                        EnvelopeKeys.IDEMPOTENCY_KEY,
                        JsonText.quote(key.orElseThrow().text()))
                .putMeta(EnvelopeKeys.TIMEOUT_MS, Long.toString(left));
        // What is stateless may have been started anew without our knowing.
        if (key.orElseThrow().isBound()) {
            splice.putMeta(EnvelopeKeys.IDEMPOTENCY_INSTANCE, JsonText.quote(keeper));
        } else {
            splice.remove(Part.IDEMPOTENCY_INSTANCE);
        }
        return (Request) splice.done();
    }

    /** Why an attempt must not go there. */
    static Failure foreign(String server) {
        var words =
                "server '%s' was started anew since the call was sent, so it does not know whether the call has run;"
                        + " it is not repeated";
        return Failure.of(ErrorCode.IN_DOUBT, words.formatted(server))
                .withDelivery(Delivery.UNKNOWN)
                .withServer(server);
    }
}
