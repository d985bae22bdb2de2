package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.testkit.RecordingReply;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client of the legacy era that may disconnect; records the server requests it gets. */
final class LeasingClient implements NotificationSink {
    final List<Call> asked = new CopyOnWriteArrayList<>();
    final List<Reply> answers = new CopyOnWriteArrayList<>();
    final Caller caller;
    private final List<Runnable> departure = new CopyOnWriteArrayList<>();
    private final OneServer bench;
    private Runnable atFirstCall = () -> {};

    LeasingClient(OneServer bench, Caller as) {
        this.bench = bench;
        this.caller = as.withNotificationSink(this).withClient((call, reply) -> {
            asked.add(call);
            answers.add(reply);
        });
    }

    RecordingReply call() {
        return bench.send(ask());
    }

    /** Calls; {@code what} happens once the call has found its place, before it is kept or sent there. */
    RecordingReply callWith(Runnable what) {
        return bench.through(attempt -> bench.upstream().attempt(Interruption.of(attempt, what)), ask());
    }

    private Call ask() {
        return bench.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", caller);
    }

    void leave() {
        departure.forEach(Runnable::run);
    }

    @Override
    public void send(Notification notification) {}

    /** What happens once its first call has a lease, before that call is sent. */
    void onFirstCall(Runnable what) {
        atFirstCall = what;
    }

    @Override
    public Cancellation.Registration onClosed(Runnable action) {
        departure.add(action);
        atFirstCall.run();
        return () -> departure.remove(action);
    }
}
