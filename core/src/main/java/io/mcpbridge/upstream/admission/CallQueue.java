package io.mcpbridge.upstream.admission;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls that wait for one server, for a session or for its transport to write them, and refuses one too
 * many. It keeps no call. Any thread may use it.
 */
public final class CallQueue {
    private final String server;
    private final int limit;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param limit how many may wait */
    public CallQueue(String server, int limit) {
        this.server = server;
        this.limit = limit;
    }

    /** A place for one call, or null if as many wait as may. */
    public @Nullable Place enter() {
        if (waiting.incrementAndGet() <= limit) {
            return new Taken();
        }
        waiting.decrementAndGet();
        return null;
    }

    /** The same; where it is null {@code reply} has heard why. */
    public @Nullable Place enter(Reply reply) {
        var place = enter();
        if (place == null) {
            reply.done(Outcome.failed(overflow()));
        }
        return place;
    }

    /** What a call is told for which there is no place. */
    public Failure overflow() {
        var message = "%d calls wait for server '%s' already, which is the limit 'queue'; try again later";
        return Failure.of(ErrorCode.OVERLOADED, message.formatted(limit, server))
                .withServer(server);
    }

    /** Where one call waits. */
    public interface Place {
        /** Of requests of our own, which are few. */
        Place UNCOUNTED = () -> {};

        /** The call waits no longer; saying so twice is harmless. */
        void leave();
    }

    private final class Taken implements Place {
        private final AtomicBoolean hasLeft = new AtomicBoolean();

        @Override
        public void leave() {
            if (hasLeft.compareAndSet(false, true)) {
                waiting.decrementAndGet();
            }
        }
    }
}
