package io.mcpbridge.testkit;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Response;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A {@link Reply} that records the events and outcomes of a call. Any thread may use it. */
public final class RecordingReply implements Reply {
    private final List<Message> events = new CopyOnWriteArrayList<>();
    private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

    @Override
    public void event(Message progressOrLog) {
        events.add(progressOrLog);
    }

    @Override
    public void complete(Outcome outcome) {
        outcomes.add(outcome);
    }

    /** The progress and log notifications so far. */
    public List<Message> events() {
        return List.copyOf(events);
    }

    /** All reported outcomes; there must never be two. */
    public List<Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    public boolean isDone() {
        return !outcomes.isEmpty();
    }

    public Outcome awaitOutcome() {
        return Eventually.get(
                () -> "the outcome of a call", () -> outcomes.stream().findFirst());
    }

    /** Waits for the outcome, which must be a response. */
    public Response awaitAnswer() {
        var outcome = awaitOutcome();
        if (outcome instanceof Outcome.Answered answered) {
            return answered.response();
        }
        throw new AssertionError("the call should have been answered, but ended with " + outcome);
    }

    /** Waits for the outcome, which must be a failure. */
    public Failure awaitFailure() {
        var outcome = awaitOutcome();
        if (outcome instanceof Outcome.Failed failed) {
            return failed.failure();
        }
        throw new AssertionError("the call should have failed, but ended with " + outcome);
    }

    /** Waits until there are {@code count} events. */
    public List<Message> awaitEvents(int count) {
        return Eventually.get(
                () -> count + " events; there are " + events,
                () -> events.size() >= count ? Optional.of(events()) : Optional.empty());
    }
}
