package io.mcpbridge.engine;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.testkit.RecordingReply;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client of the legacy era that may leave; keeps what it was asked. */
final class SeatedClient implements Audience {
    final List<Call> asked = new CopyOnWriteArrayList<>();
    final List<Reply> answers = new CopyOnWriteArrayList<>();
    final Caller caller;
    private final List<Runnable> departure = new CopyOnWriteArrayList<>();
    private final OneServer bench;

    SeatedClient(OneServer bench, Caller.Builder as) {
        this.bench = bench;
        this.caller = as.audience(this)
                .client((call, reply) -> {
                    asked.add(call);
                    answers.add(reply);
                })
                .build();
    }

    RecordingReply call() {
        return bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", caller));
    }

    void leave() {
        departure.forEach(Runnable::run);
    }

    @Override
    public void tell(Notification notification) {}

    @Override
    public Registration onGone(Runnable action) {
        departure.add(action);
        return () -> departure.remove(action);
    }
}
