package io.mcpbridge.downstream.repeats;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Part;

/**
 * Tells calls with a key apart.
 *
 * @param round what answers a question of the server, since that is a call of its own; empty in the first round
 */
record CallId(Principal principal, String key, String round) {

    static CallId of(Call call, String key) {
        var request = call.request();
        var state = request.raw(Part.REQUEST_STATE).orElse("");
        var responses = request.raw(Part.INPUT_RESPONSES).orElse("");
        return new CallId(call.caller().principal(), key, state.isEmpty() ? responses : state);
    }
}
