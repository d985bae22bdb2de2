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
 * One call on its way through the stages, which alone guards that it ends once. Any thread may use it.
 *
 * <p>The engine makes one for each request of a client and one for each {@linkplain #newAttempt attempt}. A stage
 * registers what it has to undo or record, and passes the call on to its {@link Next}, now or later, or {@linkplain
 * #complete completes} it. Handlers behind the stages use it as their {@link Reply}. What an action or the caller throws is
 * logged and affects nothing else.
 */
public interface CallContext extends Call, Reply {

    /**
     * Ends the call. The first outcome counts, later ones have no effect. First the actions of {@link #onComplete} run,
     * the last registered first; then the caller receives the outcome; then the actions of {@link #afterComplete} run.
     */
    void complete(Outcome outcome);

    /** Runs {@code action} when the call ends, before its caller receives the outcome; at once if it has ended. */
    void onComplete(Consumer<Outcome> action);

    /** Runs {@code action} when the caller has received the outcome; at once if the call has ended. */
    void afterComplete(Runnable action);

    /** Runs {@code action} with each progress and log notification of the call, before its caller receives it. */
    void onEvent(Consumer<Message> action);

    /**
     * Runs {@code action} when the clock of the deadline stops because the client is being asked for input, and when it
     * goes on, with the deadline that {@linkplain Deadline#isHeld says} which. For stages before they pass the call on.
     */
    void onHold(Consumer<Deadline> action);

    /**
     * A try of this call that ends by itself: how this call goes on is up to the stage that made the attempt, which
     * registers an action for its end. Notifications of the attempt reach this call's caller until this call ends.
     *
     * @param own withdraws the attempt; often a {@linkplain Cancellation#child() child} of this call's
     */
    CallContext newAttempt(Cancellation own);

    /** As {@link #complete}, for handlers. */
    @Override
    default void done(Outcome outcome) {
        complete(outcome);
    }
}
