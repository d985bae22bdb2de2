package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallWait;
import io.mcpbridge.call.CancelReason;
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
 * Counts the calls that wait for one server, for a connection or for its transport to write them, and rejects those beyond
 * the limit. It keeps no call. Any thread may use it.
 */
public final class CallQueueLimit {
    private final String server;
    private final int limit;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param limit how many may wait */
    public CallQueueLimit(String server, int limit) {
        this.server = server;
        this.limit = limit;
    }

    /** A place for one call, or null if the queue is full; {@code full} has received the failure then. */
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
        var message = "%d calls wait for server '%s' already, which is the limit 'queue'; try again later";
        full.accept(Failure.of(ErrorCode.OVERLOADED, message.formatted(limit, server))
                .withServer(server));
        return null;
    }

    /** The place of one call in the queue. */
    public interface Place {
        /** The place of the bridge's own requests, which are few. */
        Place UNCOUNTED = () -> {};

        /** The call waits no longer; a second time has no effect. */
        void leave();
    }

    /**
     * A call that waits, with its place. The thread that {@linkplain #claim claims} it sends it or ends it; all others leave
     * it alone. Any thread; nothing waits.
     */
    public static final class QueuedCall {
        private final String server;
        private final Call call;
        private final Reply reply;
        private final Place place;
        private final CallWait end = new CallWait();

        /** A call that waits from here on. */
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
         * @param forget removes it from where it waits
         * @param failure makes its failure
         */
        public void watch(Runnable forget, Function<CancelReason, Failure> failure) {
            if (end.isOver()) {
                return;
            }
            var link = call.cancellation().onCancel(reason -> {
                if (claim()) {
                    forget.run();
                    end(failure.apply(reason));
                }
            });
            end.releasing(link::remove);
        }

        /** Whether the caller of this method has it from here on; false if it was claimed before. */
        public boolean claim() {
            return end.end();
        }

        /** Leaves the queue and runs {@code next}, unless it was claimed before. */
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
            reply.done(Outcome.failed(why.withServer(server)));
        }
    }
}
