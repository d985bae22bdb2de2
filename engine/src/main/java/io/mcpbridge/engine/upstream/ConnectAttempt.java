package io.mcpbridge.engine.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.engine.upstream.connection.ProtocolNegotiation;
import io.mcpbridge.engine.upstream.connection.ServerConnection;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.engine.upstream.connection.UpstreamContext;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to connect to a server. Opens the transport on a worker thread, which may block, and then starts the
 * {@link ProtocolNegotiation}, which does not. Used once; closes its connection unless it becomes ready.
 */
final class ConnectAttempt {
    /** Receives the result once. */
    interface Listener {
        void connected(ServerConnection connection, ServerProfile profile);

        void failed(Failure why);

        /** The connection of a failed attempt and its process have ended. */
        default void gone() {}
    }

    private final UpstreamContext context;
    private final UpstreamParts parts;
    private final Supplier<ServerConnection> connections;
    private final Caller caller;
    private final Listener listener;
    private volatile Deadline deadline;
    private volatile Runnable leave = () -> {};
    private volatile @Nullable ServerConnection connected;
    private volatile @Nullable Failure firstEnd;
    private volatile boolean isGivenUp;
    private final AtomicBoolean isBegun = new AtomicBoolean();
    private final AtomicBoolean isOver = new AtomicBoolean();

    /** @param connections creates the connection, and another one if the server has to be started again */
    ConnectAttempt(UpstreamContext context, Supplier<ServerConnection> connections, Caller caller, Listener listener) {
        this.context = context;
        this.parts = context.parts();
        this.connections = connections;
        this.deadline = parts.deadline();
        this.caller = caller.withoutSession().withTrace(caller.trace());
        this.listener = listener;
    }

    /** The correlation id of what made the bridge connect. */
    String cause() {
        return caller.cause();
    }

    /** Connects as soon as the start gate admits it; the time-out begins then. */
    void begin() {
        parts.start(over -> {
            if (isGivenUp || !isBegun.compareAndSet(false, true)) {
                over.run();
                return;
            }
            leave = over;
            deadline = parts.deadline();
            work(() -> connect(ProtocolNegotiation::begin), this::ended);
        });
    }

    /** Reports a failure before the connection existed. */
    private void ended(Failure why) {
        if (report(why)) {
            gone();
        }
    }

    /**
     * Reports the failure; returns false if the result was reported before. An exception of the listener does not
     * prevent closing the connection.
     */
    private boolean report(Failure why) {
        var isFirst = isOver.compareAndSet(false, true);
        if (isFirst) {
            parts.report(() -> listener.failed(why));
        }
        return isFirst;
    }

    /**
     * Reports that the process has ended. Only now may another one start, so that their number never exceeds the limit.
     */
    private void gone() {
        leave.run();
        listener.gone();
    }

    private void work(Runnable step, Consumer<Failure> failed) {
        try {
            parts.environment().workers().execute(step);
        } catch (RejectedExecutionException stopped) {
            failed.accept(
                    failure(ErrorCode.SHUTTING_DOWN, "the bridge has stopped").withCause(stopped));
        }
    }

    /** Asks the connection to end, without waiting; {@link #giveUp} follows. */
    void hangUp() {
        isGivenUp = true;
        connected().ifPresent(ServerConnection::hangUp);
    }

    private Optional<ServerConnection> connected() {
        return Optional.ofNullable(connected);
    }

    /** Closes the connection, which fails the attempt. Fails at once if the attempt has not started. May wait. */
    void giveUp() {
        isGivenUp = true;
        if (isBegun.compareAndSet(false, true)) {
            ended(givenUp());
        } else {
            connected().ifPresent(ServerConnection::close);
        }
    }

    /** Kills the connection. May wait. */
    void kill() {
        connected().ifPresent(ServerConnection::kill);
    }

    private Failure givenUp() {
        return failure(ErrorCode.SHUTTING_DOWN, "connecting was given up");
    }

    private void connect(Consumer<ProtocolNegotiation> introduction) {
        ServerConnection session;
        try {
            session = connections.get();
        } catch (RuntimeException | LinkageError failed) {
            ended(failure(failed));
            return;
        }
        // Sets the field before opening, so that giveUp() ends a connection that is still opening.
        connected = session;
        if (!isGivenUp && !open(session)) {
            return;
        }
        if (isGivenUp) {
            failed(session, givenUp());
            return;
        }
        try {
            introduction.accept(new ProtocolNegotiation(context, session, caller, deadline, new SearchResult(session)));
        } catch (RuntimeException | LinkageError defect) {
            if (isOver.get()) {
                // The exception came from the listener and not from the connection.
                throw defect;
            }
            failed(session, failure(defect));
        }
    }

    private boolean open(ServerConnection session) {
        try {
            session.open(deadline);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            failed(session, failure(ErrorCode.SHUTTING_DOWN, "connecting was interrupted"));
        } catch (RuntimeException | LinkageError failed) {
            failed(session, failure(failed));
        }
        return false;
    }

    private void failed(ServerConnection session, Failure why) {
        close(session, report(why));
    }

    private void close(ServerConnection session, boolean isFirst) {
        try {
            session.close();
        } finally {
            if (isFirst) {
                gone();
            }
        }
    }

    /** Starts the server again after its first process has ended. */
    private void again(ServerConnection session) {
        Runnable restart = () -> {
            session.close();
            connect(ProtocolNegotiation::beginWithHandshake);
        };
        work(restart, why -> failed(session, why));
    }

    private Failure failure(ErrorCode code, String why) {
        return Failure.of(code, "server '%s' is not connected: %s".formatted(parts.name(), why));
    }

    /**
     * Returns the failure for an exception of a transport, or for a class that it lacks. A defect of the plug-in must not
     * leave calls waiting.
     */
    private Failure failure(Throwable thrown) {
        if (thrown instanceof BridgeException known) {
            return known.failure();
        }
        return failure(ErrorCode.INTERNAL_ERROR, "its transport or another plug-in failed: " + thrown)
                .withCause(thrown);
    }

    private final class SearchResult implements ProtocolNegotiation.Listener {
        private final ServerConnection session;

        private SearchResult(ServerConnection session) {
            this.session = session;
        }

        @Override
        public void ready(ServerProfile profile) {
            if (!isOver.compareAndSet(false, true)) {
                parts.later(session::close);
                return;
            }
            leave.run();
            listener.connected(session, profile);
        }

        @Override
        public void rejected(Failure why) {
            var isFirst = report(isAsTheFirst(why) ? why.withRetryable(false) : why);
            parts.later(() -> close(session, isFirst));
        }

        @Override
        public void endedWhenAsked(Failure why) {
            if (isGivenUp || isOver.get() || deadline.isExpired()) {
                rejected(why);
                return;
            }
            firstEnd = why;
            again(session);
        }

        /**
         * Whether the process ended as the first one did. It would do so again, so the remaining starts are kept for
         * later calls.
         */
        private boolean isAsTheFirst(Failure why) {
            var first = firstEnd;
            return first != null
                    && why.code() == ErrorCode.PROVIDER_CRASHED
                    && why.message().equals(first.message());
        }
    }
}
