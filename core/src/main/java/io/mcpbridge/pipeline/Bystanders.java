package io.mcpbridge.pipeline;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.EndedSession;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.CallObserver;
import java.util.List;
import java.util.function.Supplier;

/**
 * Those who watch calls, where something happens that belongs to none: what the bridge asks servers for itself, and the
 * ends of sessions. Any thread; nothing here waits.
 */
public final class Bystanders {
    private final List<CallObserver> observers;
    private final System.Logger logger;

    private Bystanders(List<CallObserver> observers, System.Logger logger) {
        this.observers = observers;
        this.logger = logger;
    }

    public static Bystanders of(List<CallObserver> observers, System.Logger logger) {
        return new Bystanders(List.copyOf(observers), logger);
    }

    /**
     * Whether a request is one of the bridge's own that somebody wants to watch. A stream that stays open for days is no
     * request in this sense.
     */
    public boolean watch(Call call) {
        return !observers.isEmpty()
                && call.attempt() == AttemptWatch.NONE
                && !call.request().method().equals(Methods.SUBSCRIPTIONS_LISTEN);
    }

    /** The same request, watched on its way to {@code server}. */
    public Call begun(Call own, String server) {
        var attempt = CallAttempt.of(own, server, named -> false);
        return own.withAttempt(Watchers.ofAttempt(observers, each -> each.asked(attempt), logger));
    }

    /** Tells those who watch {@code begun} of its end. */
    public Reply reply(Call begun, Reply reply) {
        return new WatchedReply(begun.attempt(), reply);
    }

    /** A session is over; what it was is asked for only where somebody wants to know. */
    public void ended(Supplier<EndedSession> session) {
        if (observers.isEmpty()) {
            return;
        }
        var over = session.get();
        observers.forEach(each -> Watchers.told(logger, each, observer -> observer.sessionEnded(over)));
    }
}
