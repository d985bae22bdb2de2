package io.mcpbridge.spi;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage.Next;
import java.util.function.Consumer;

/**
 * The state of one call in the pipeline of stages; ensures that the call completes exactly once. Any thread may use it.
 *
 * <p>The engine creates one for each request of a client and one for each {@linkplain #newAttempt attempt}. A stage
 * registers its completion actions, then passes the call to its {@link Next}, now or later, or {@linkplain #complete
 * completes} it. Handlers behind the stages use it as their {@link Reply}. An exception of an action or of the caller
 * is logged and has no other effect.
 */
public interface CallContext extends Call, Reply {

    /**
     * Completes the call. Only the first outcome has an effect. First the actions of {@link #onComplete} run, the last
     * registered first; then the caller receives the outcome; then the actions of {@link #afterComplete} run.
     */
    @Override
    void complete(Outcome outcome);

    /** Runs {@code action} when the call ends, before its caller receives the outcome; at once if it has ended. */
    void onComplete(Consumer<Outcome> action);

    /** Runs {@code action} when the caller has received the outcome; at once if the call has ended. */
    void afterComplete(Runnable action);

    /** Runs {@code action} with each progress and log notification of the call, before its caller receives it. */
    void onEvent(Consumer<Message> action);

    /**
     * Runs {@code action} when the clock of the deadline stops because the client is asked for input, and when it
     * resumes. {@link Deadline#isHeld} of the argument tells the two cases apart. A stage calls this before it passes
     * the call on.
     */
    void onHold(Consumer<Deadline> action);

    /**
     * Creates an attempt of this call. The end of the attempt does not end this call: the stage that created the
     * attempt registers an action for its end, and decides what follows. The caller of this call receives the
     * notifications of the attempt until this call ends.
     *
     * @param own the cancellation of the attempt; often a {@linkplain Cancellation#child() child} of this call's
     */
    CallContext newAttempt(Cancellation own);
}
