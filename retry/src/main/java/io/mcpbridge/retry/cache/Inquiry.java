package io.mcpbridge.retry.cache;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Part;
import org.jspecify.annotations.Nullable;

/**
 * What is asked and by whom: calls with equal ones may have one answer. Holds its parts as they are, so making one copies
 * nothing.
 *
 * @param user who asks; null for everybody
 * @param declared what the client can do, for which servers may answer differently
 * @param log the log messages that the client wants
 * @param digest what is asked, without who asks
 */
record Inquiry(
        @Nullable Principal user,
        Era era,
        String declared,
        @Nullable LogLevel log,
        boolean wantsProgress,
        String digest) {

    /** What the user asks, whatever comes before the answer. */
    static Inquiry of(Call call, String digest) {
        var caller = call.caller();
        return new Inquiry(caller.principal(), caller.era(), caller.declared(), null, false, digest);
    }

    /** The same with what comes before the answer: whoever wants that can only join a call that asked for it. */
    static Inquiry withEvents(Call call, String digest) {
        var caller = call.caller();
        return new Inquiry(
                caller.principal(),
                caller.era(),
                caller.declared(),
                caller.logLevel().orElse(null),
                call.request().has(Part.PROGRESS_TOKEN),
                digest);
    }

    /** The same, asked by anybody. */
    Inquiry ofAnybody() {
        return new Inquiry(null, era, declared, log, wantsProgress, digest);
    }

    /** How long its texts are together. */
    int length() {
        var name = user == null ? 0 : user.name().length() + user.proof().length();
        return name + declared.length() + digest.length();
    }
}
