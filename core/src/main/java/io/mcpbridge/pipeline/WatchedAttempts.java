package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.spi.CallStage;
import java.util.function.Predicate;

/** Has each attempt at one server watched, where somebody watches the call. Stands within the attempts. */
public final class WatchedAttempts implements CallStage {
    private final String server;
    private final Predicate<Call> listed;

    /**
     * Makes the stage of {@code server}.
     *
     * @param listed whether the tool or prompt that a call names is known from a list of the server
     */
    public WatchedAttempts(String server, Predicate<Call> listed) {
        this.server = server;
        this.listed = listed;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var watch = call.watch();
        if (watch == CallWatch.NONE) {
            next.handle(call, reply);
            return;
        }
        var attempt = watch.attempted(CallAttempt.of(call, server, listed));
        next.handle(call.withAttempt(attempt), new WatchedReply(attempt, reply));
    }
}
