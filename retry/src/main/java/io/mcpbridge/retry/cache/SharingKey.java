package io.mcpbridge.retry.cache;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import org.jspecify.annotations.Nullable;

/**
 * The key of a cached response or a shared call; calls with equal keys may share one response. Refers to its parts and
 * copies nothing.
 *
 * @param user the caller; null for all users
 * @param declared the capabilities of the client, which can change the answer
 * @param log the level of log messages that the client wants
 * @param digest of the request
 */
record SharingKey(
        @Nullable Principal user,
        Era era,
        String declared,
        @Nullable LogLevel log,
        boolean wantsProgress,
        String digest) {

    private static final String COMPLETE = "complete";

    /** The key for a stored response, which has no events. */
    static SharingKey of(Call call, String digest) {
        var caller = call.caller();
        return new SharingKey(caller.principal(), caller.era(), caller.declared(), null, false, digest);
    }

    /** The key for a call in progress: a caller that wants events can only join a call that asked for them. */
    static SharingKey withEvents(Call call, String digest) {
        var caller = call.caller();
        return new SharingKey(
                caller.principal(),
                caller.era(),
                caller.declared(),
                caller.logLevel().orElse(null),
                call.request().has(MessageField.PROGRESS_TOKEN),
                digest);
    }

    SharingKey forAllUsers() {
        return new SharingKey(null, era, declared, log, wantsProgress, digest);
    }

    /** The number of characters of its texts. */
    int length() {
        var name = user == null ? 0 : user.name().length() + user.proof().length();
        return name + declared.length() + digest.length();
    }

    /** Whether a request can be shared: it neither continues an earlier one nor starts a task. */
    static boolean isShareable(Request request) {
        return !request.has(MessageField.REQUEST_STATE)
                && !request.has(MessageField.INPUT_RESPONSES)
                && !request.has(MessageField.TASK);
    }

    /** Whether a response can be shared: it is complete and does not ask the client for input. */
    static boolean isShareable(Response response) {
        return response.text(MessageField.RESULT_TYPE).orElse(COMPLETE).equals(COMPLETE)
                && !response.has(MessageField.INPUT_REQUESTS)
                && !response.has(MessageField.RESULT_STATE);
    }
}
