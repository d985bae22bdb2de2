package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import java.util.function.Consumer;

/** The reply to a question of a server, which knows the connection of the question. Any thread may use it. */
public interface QuestionReply extends Reply {

    /**
     * Sends a request of the bridge's own over that connection; it is cancelled at its deadline.
     *
     * @param then receives the outcome
     */
    void sendOwn(Call call, Consumer<Outcome> then);
}
