package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.OneShotEnd;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls that wait for a connection to one server, or for its transport to write them. Counts calls and does
 * not hold them. Any thread may use it.
 */
public final class CallQueueLimit {
    private final String server;
    private final int limit;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param limit the largest number of waiting calls */
    public CallQueueLimit(String server, int limit) {
        this.server = server;
        this.limit = limit;
    }

    /** Returns a place for one call; if the queue is full, passes the failure to {@code full} and returns null. */
    public @Nullable Place enter(Consumer<Failure> full) {
        if (waiting.incrementAndGet() <= limit) {
            var hasLeft = new AtomicBoolean();
            return () -> {
                if (hasLeft.compareAndSet(false, true)) {
                    waiting.decrementAndGet();
                }
            };
        }
        waiting.decrementAndGet();
        var message = "%d calls wait for server '%s' already, which is the limit 'limits.queue'; try again later";
        full.accept(Failure.of(ErrorCode.OVERLOADED, message.formatted(limit, server))
                .withServer(server));
        return null;
    }

    /** The place of one call in the queue. */
    public interface Place {
        /** The place of the bridge's own requests, which are few. */
        Place UNCOUNTED = () -> {};

        /** Releases the place; a second call has no effect. */
        void leave();
    }

    /**
     * A call that waits, with its place. Only the thread that {@linkplain #claim claims} it sends or ends it. Any
     * thread; nothing waits.
     */
    public static final class QueuedCall {
        private final String server;
        private final Call call;
        private final Reply reply;
        private final Place place;
        private final OneShotEnd end = new OneShotEnd();

        /** Creates a waiting call. */
        public QueuedCall(String server, Call call, Reply reply, Place place) {
            this.server = server;
            this.call = call;
            this.reply = reply;
            this.place = place;
        }

        public String server() {
            return server;
        }

        public Call call() {
            return call;
        }

        public Place place() {
            return place;
        }

        /**
         * Ends the call when it is cancelled while it waits.
         *
         * @param forget removes it from its queue
         * @param failure creates its failure
         */
        public void watch(Runnable forget, Function<CancelReason, Failure> failure) {
            var link = call.cancellation().onCancel(reason -> {
                if (claim()) {
                    forget.run();
                    end(failure.apply(reason));
                }
            });
            end.releasing(link::remove);
        }

        /** Claims the call for this thread; returns false if it was claimed before. */
        public boolean claim() {
            return end.end();
        }

        /** Claims the call, leaves the queue and runs {@code next}, unless it was claimed before. */
        public void resume(Runnable next) {
            if (claim()) {
                place.leave();
                next.run();
            }
        }

        /** Ends it, unless it was claimed before. */
        public void fail(Failure why) {
            if (claim()) {
                end(why);
            }
        }

        /** Ends it because sending it threw {@code defect}; for the thread that claimed it. */
        public void end(RuntimeException defect) {
            end(Failure.of(ErrorCode.INTERNAL_ERROR, "the call could not be sent to the server: " + defect)
                    .withCause(defect));
        }

        /** Ends it without sending it; for the thread that claimed it. */
        public void end(Failure why) {
            place.leave();
            reply.complete(Outcome.failed(why.withServer(server)));
        }
    }
}
