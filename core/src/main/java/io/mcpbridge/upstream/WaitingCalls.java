package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Calls that are parked until a session is ready; each has a place in the server's {@link CallQueue}. Guarded by the
 * lock of the slot that owns it; only the calls themselves are ended outside of it.
 */
final class WaitingCalls {
    private final Set<Waiting> calls = new LinkedHashSet<>();

    void add(Waiting waiting) {
        calls.add(waiting);
    }

    void remove(Waiting waiting) {
        calls.remove(waiting);
    }

    List<Waiting> takeAll() {
        var all = new ArrayList<>(calls);
        calls.clear();
        return all;
    }

    int size() {
        return calls.size();
    }

    /** One parked call; whoever {@linkplain #claim claims} it goes on with it. */
    static final class Waiting {
        private final String server;
        private final Call call;
        private final Reply reply;
        private final CallQueue.Place place;
        private final Consumer<UpstreamSession> whenReady;
        private final AtomicBoolean isClaimed = new AtomicBoolean();
        private volatile Cancellation.Registration link = () -> {};

        /** A call that {@code whenReady} sends, which also leaves its place, unless it is withdrawn before. */
        Waiting(String server, Call call, Reply reply, CallQueue.Place place, Consumer<UpstreamSession> whenReady) {
            this.server = server;
            this.call = call;
            this.reply = reply;
            this.place = place;
            this.whenReady = whenReady;
        }

        /** Ends the call when it is withdrawn while it waits. */
        void watch(Runnable whenWithdrawn) {
            link = call.cancellation().onCancel(reason -> {
                if (isClaimed.compareAndSet(false, true)) {
                    whenWithdrawn.run();
                    place.leave();
                    reply.done(Outcome.failed(withdrawn(reason)));
                }
            });
        }

        /** Goes on in the session that is ready; what is thrown there ends this call, and no other. */
        void send(UpstreamSession session) {
            if (!claim()) {
                return;
            }
            try {
                whenReady.accept(session);
            } catch (RuntimeException defect) {
                end(Failure.of(ErrorCode.INTERNAL_ERROR, "the call could not be sent to the server: " + defect)
                        .withCause(defect));
            }
        }

        void fail(Failure failure) {
            if (claim()) {
                end(failure);
            }
        }

        private void end(Failure failure) {
            place.leave();
            reply.done(Outcome.failed(failure.withServer(server)));
        }

        private boolean claim() {
            link.remove();
            return isClaimed.compareAndSet(false, true);
        }

        private Failure withdrawn(CancelReason reason) {
            var method = call.request().method();
            var message = method.equals(Methods.INITIALIZE)
                    ? "the handshake with server '%s' was given up: %s".formatted(server, reason.text())
                    : "'%s' waited for server '%s' to become ready and was withdrawn: %s"
                            .formatted(method, server, reason.text());
            return Failure.of(reason.code(), message).withServer(server);
        }
    }
}
