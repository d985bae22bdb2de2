package io.mcpbridge.upstream;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.upstream.admission.QueuedCall;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

    /** One of them, which {@code whenReady} sends; that also leaves its place. */
    record Waiting(QueuedCall queued, Consumer<UpstreamSession> whenReady) {

        /** Ends the call when it is withdrawn while it waits. */
        void watch(Runnable forget) {
            queued.watch(forget, this::withdrawn);
        }

        /** Goes on in the session that is ready; what is thrown there ends this call, and no other. */
        void send(UpstreamSession session) {
            if (!queued.claim()) {
                return;
            }
            try {
                whenReady.accept(session);
            } catch (RuntimeException defect) {
                queued.end(Failure.of(ErrorCode.INTERNAL_ERROR, "the call could not be sent to the server: " + defect)
                        .withCause(defect));
            }
        }

        void fail(Failure failure) {
            queued.fail(failure);
        }

        private Failure withdrawn(CancelReason reason) {
            var method = queued.call().request().method();
            var message = method.equals(Methods.INITIALIZE)
                    ? "the handshake with server '%s' was given up: %s".formatted(queued.server(), reason.text())
                    : "'%s' waited for server '%s' to become ready and was withdrawn: %s"
                            .formatted(method, queued.server(), reason.text());
            return Failure.of(reason.code(), message);
        }
    }
}
