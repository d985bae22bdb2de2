package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Cause;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Remedy;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Outgoing;

/**
 * A request that the server rejected because of a wrong assumption of the bridge. The owner of the connection ends it.
 *
 * @param reply receives the outcome; the connection no longer uses it
 * @param outgoing the message that the server rejected
 * @param challenge the server's {@code WWW-Authenticate} header, or the empty string
 */
public record RejectedRequest(
        Cause cause, Call call, Reply reply, Outgoing outgoing, Failure failure, String challenge) {

    /** Ends the attempt; another one may follow once {@code remedy} has removed the cause. */
    public void end(Remedy remedy) {
        if (call instanceof PipelineCall attempt) {
            attempt.rejected(cause, remedy);
        }
        end();
    }

    /** Ends the attempt with its failure. */
    public void end() {
        reply.complete(Outcome.failed(failure));
    }
}
