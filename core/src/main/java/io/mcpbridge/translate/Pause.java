package io.mcpbridge.translate;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** The time before a server that asks nothing gets its state back. A cancellation ends it at once, and the call. */
final class Pause {
    /** How long such a server is left alone. */
    static final Duration LENGTH = Duration.ofMillis(250);

    private final Call call;
    private final ServerSide server;
    private final Runnable then;
    private final Reply reply;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Cancellation.Registration link = () -> {};

    private Pause(Call call, ServerSide server, Runnable then, Reply reply) {
        this.call = call;
        this.server = server;
        this.then = then;
        this.reply = reply;
    }

    /**
     * Begins one.
     *
     * @param then what follows if the call is not withdrawn
     * @param reply hears it otherwise
     */
    static void begin(Call call, ServerSide server, Runnable then, Reply reply) {
        new Pause(call, server, then, reply).begin();
    }

    private void begin() {
        var alarm = server.environment().timekeeper().schedule(LENGTH, this::passed);
        link = call.cancellation().onCancel(reason -> {
            alarm.cancel();
            withdrawn(reason);
        });
        if (isOver.get()) {
            link.remove();
        }
    }

    private void passed() {
        if (isOver.compareAndSet(false, true)) {
            link.remove();
            then.run();
        }
    }

    private void withdrawn(CancelReason reason) {
        if (isOver.compareAndSet(false, true)) {
            var words = "'%s' was withdrawn: %s".formatted(call.request().method(), reason.text());
            reply.done(Outcome.failed(Failure.of(reason.code(), words)
                    .withDelivery(Delivery.ANSWERED)
                    .withServer(server.name())));
        }
    }
}
