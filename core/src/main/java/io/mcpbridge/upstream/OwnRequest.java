package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Message;
import java.util.function.Consumer;

/** A request that the bridge makes for itself: withdrawn at its deadline, and nobody hears of its progress. */
public final class OwnRequest implements Reply {
    private final Timekeeper.Alarm alarm;
    private final Consumer<Outcome> then;

    private OwnRequest(Timekeeper.Alarm alarm, Consumer<Outcome> then) {
        this.alarm = alarm;
        this.then = then;
    }

    /** Sends the call's request to {@code handler}; {@code then} hears how it ended. */
    public static void send(Handler handler, Call call, Consumer<Outcome> then) {
        var alarm = call.deadline().alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        handler.handle(call, new OwnRequest(alarm, then));
    }

    @Override
    public void event(Message progressOrLog) {}

    @Override
    public void done(Outcome outcome) {
        alarm.cancel();
        then.accept(outcome);
    }
}
