package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Response;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A call that wants to subscribe and waits for the server's word, until it is withdrawn or its time is up. */
final class SubscribeCall {
    private final Call call;
    private final Audience audience;
    private final Reply reply;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile boolean isNewcomer;
    private volatile Cancellation.Registration link = () -> {};
    private volatile Timekeeper.Alarm alarm = () -> {};

    SubscribeCall(Call call, Audience audience, Reply reply) {
        this.call = call;
        this.audience = audience;
        this.reply = reply;
    }

    /** One for which nobody waits: the bridge has made it for itself. */
    static SubscribeCall ofNobody(Call call, Audience audience) {
        return new SubscribeCall(call, audience, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {}
        });
    }

    /** Whose client subscribes. */
    Caller caller() {
        return call.caller();
    }

    Audience audience() {
        return audience;
    }

    /** Its audience was not told of the resource before. */
    void markNewcomer() {
        isNewcomer = true;
    }

    /** Whether its audience is told of the resource only since this call. */
    boolean isNewcomer() {
        return isNewcomer;
    }

    /** Ends it when it is withdrawn or its deadline passes, of which {@code whenWithdrawn} hears before. */
    void watch(Consumer<SubscribeCall> whenWithdrawn) {
        alarm = call.deadline().alarm(() -> withdraw(CancelReason.TIMED_OUT, whenWithdrawn));
        link = call.cancellation().onCancel(reason -> withdraw(reason, whenWithdrawn));
        if (isOver.get()) {
            release();
        }
    }

    private void withdraw(CancelReason reason, Consumer<SubscribeCall> whenWithdrawn) {
        if (isOver.compareAndSet(false, true)) {
            release();
            whenWithdrawn.accept(this);
            var words = "'%s' waited for the server's word and was withdrawn: %s"
                    .formatted(call.request().method(), reason.text());
            reply.done(Outcome.failed(Failure.of(reason.code(), words)));
        }
    }

    /** The server tells of the resource from now on. */
    void taken() {
        end(Outcome.answered(Response.result(call.request().id(), "{}")));
    }

    /** The server does not, as this outcome says. */
    void end(Outcome outcome) {
        if (isOver.compareAndSet(false, true)) {
            release();
            reply.done(outcome);
        }
    }

    private void release() {
        alarm.cancel();
        link.remove();
    }
}
