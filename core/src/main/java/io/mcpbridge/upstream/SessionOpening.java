package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.introduction.EraSearch;
import io.mcpbridge.upstream.introduction.ServerProfile;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One try to open a session: connects the transport on a worker thread, which may wait for it, and begins the
 * {@link EraSearch}, which nobody waits for. Used once; closes its session unless it is opened.
 */
final class SessionOpening {
    /** Hears once how it ended. */
    interface Ending {
        void opened(SessionOpening opening, UpstreamSession session, ServerProfile profile);

        void failed(SessionOpening opening, Failure why);

        /** After it has failed: nothing is left of its session and of the process behind. */
        default void gone(SessionOpening opening) {}

        /** Whether the server may be started once more for the same opening; counts as a start if so. */
        boolean startsAgain();
    }

    private final UpstreamParts parts;
    private final Supplier<Transport> transports;
    private final EraMemory eras;
    private final Caller caller;
    private final SessionListener listener;
    private final Ending ending;
    private volatile Deadline deadline;
    private volatile Runnable leave = () -> {};
    private volatile @Nullable UpstreamSession connected;
    private volatile @Nullable Failure firstEnd;
    private volatile boolean isGivenUp;
    private final AtomicBoolean isBegun = new AtomicBoolean();
    private final AtomicBoolean isOver = new AtomicBoolean();

    /** @param transports makes the one that is opened, or another where the server has to be started again */
    SessionOpening(
            UpstreamParts parts,
            Supplier<Transport> transports,
            EraMemory eras,
            Caller caller,
            SessionListener listener,
            Ending ending) {
        this.parts = parts;
        this.transports = transports;
        this.eras = eras;
        this.deadline = parts.deadline();
        this.caller = caller.withoutSession();
        this.listener = listener;
        this.ending = ending;
    }

    /** Begins when it is its turn, which also begins its time. */
    void begin() {
        parts.start(over -> {
            if (isGivenUp || !isBegun.compareAndSet(false, true)) {
                over.run();
                return;
            }
            leave = over;
            deadline = parts.deadline();
            work(this::run);
        });
    }

    /** No session is there. */
    private void ended(Failure why) {
        if (tell(why)) {
            gone();
        }
    }

    /**
     * Whoever waits hears of it at once, and what is thrown there keeps nobody from ending what is left; false if the
     * opening was over before.
     */
    private boolean tell(Failure why) {
        var isFirst = isOver.compareAndSet(false, true);
        if (isFirst) {
            parts.tell(() -> ending.failed(this, why));
        }
        return isFirst;
    }

    /** Its place is free only now, so that there are never more processes than there may be. */
    private void gone() {
        leave.run();
        ending.gone(this);
    }

    private void work(Runnable step) {
        try {
            parts.environment().workers().execute(step);
        } catch (RejectedExecutionException stopped) {
            ended(stopped(stopped));
        }
    }

    private Failure stopped(RejectedExecutionException cause) {
        return failure(ErrorCode.SHUTTING_DOWN, "the bridge has stopped").withCause(cause);
    }

    /** Asks what is there of the session to end, without waiting; {@link #giveUp} follows. */
    void hangUp() {
        isGivenUp = true;
        connected().ifPresent(UpstreamSession::hangUp);
    }

    private Optional<UpstreamSession> connected() {
        return Optional.ofNullable(connected);
    }

    /**
     * Ends what is there of the session; whoever waits for the opening hears that it failed. One whose turn has not come
     * is over at once. May wait.
     */
    void giveUp() {
        isGivenUp = true;
        if (isBegun.compareAndSet(false, true)) {
            ended(givenUp());
        } else {
            connected().ifPresent(UpstreamSession::close);
        }
    }

    /** Kills what is there of the session. May wait. */
    void kill() {
        connected().ifPresent(UpstreamSession::kill);
    }

    private Failure givenUp() {
        return failure(ErrorCode.SHUTTING_DOWN, "connecting was given up");
    }

    private void run() {
        connect(EraSearch::begin);
    }

    private void connect(Consumer<EraSearch> introduction) {
        Transport transport;
        try {
            transport = transports.get();
        } catch (RuntimeException failed) {
            ended(failure(failed));
            return;
        }
        var session = new UpstreamSession(parts.name(), transport, parts.environment(), listener);
        // Known before it is open, so that giving up ends a connection that is still being made.
        connected = session;
        if (!isGivenUp && !open(transport, session)) {
            return;
        }
        if (isGivenUp) {
            failed(session, givenUp());
            return;
        }
        var means = new EraSearch.Means(
                parts.settings(), parts.identity(), eras, parts.environment().timekeeper());
        try {
            introduction.accept(new EraSearch(means, session, caller, deadline, new SearchEnding(session)));
        } catch (RuntimeException defect) {
            if (isOver.get()) {
                // Whoever has heard of the end threw it, which says nothing of the session.
                throw defect;
            }
            failed(session, failure(defect));
        }
    }

    private boolean open(Transport transport, UpstreamSession session) {
        try {
            transport.open(session.receiver(), deadline);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            failed(session, failure(ErrorCode.SHUTTING_DOWN, "connecting was interrupted"));
        } catch (RuntimeException failed) {
            failed(session, failure(failed));
        }
        return false;
    }

    private void failed(UpstreamSession session, Failure why) {
        end(session, tell(why));
    }

    private void end(UpstreamSession session, boolean hasPlace) {
        try {
            session.close();
        } finally {
            if (hasPlace) {
                gone();
            }
        }
    }

    /** The one process is gone before the other begins. */
    private void again(UpstreamSession session) {
        try {
            parts.environment().workers().execute(() -> {
                session.close();
                connect(EraSearch::beginWithHandshake);
            });
        } catch (RejectedExecutionException stopped) {
            failed(session, stopped(stopped));
        }
    }

    private Failure failure(ErrorCode code, String why) {
        return Failure.of(code, "server '%s' is not connected: %s".formatted(parts.name(), why));
    }

    /** What a transport throws: its own words, or a plug-in's defect, which must not leave the calls parked. */
    private Failure failure(RuntimeException thrown) {
        if (thrown instanceof BridgeException known) {
            return known.failure();
        }
        return failure(ErrorCode.INTERNAL_ERROR, "its transport or another plug-in failed: " + thrown)
                .withCause(thrown);
    }

    private final class SearchEnding implements EraSearch.Ending {
        private final UpstreamSession session;

        private SearchEnding(UpstreamSession session) {
            this.session = session;
        }

        @Override
        public void ready(ServerProfile profile) {
            if (!isOver.compareAndSet(false, true)) {
                parts.closeLater(session);
                return;
            }
            session.agree(profile);
            leave.run();
            ending.opened(SessionOpening.this, session, profile);
        }

        @Override
        public void refused(Failure why) {
            var hasPlace = tell(isAsTheFirst(why) ? why.withRetryable(false) : why);
            parts.later(() -> end(session, hasPlace));
        }

        @Override
        public void endedWhenAsked(Failure why) {
            if (isGivenUp || isOver.get() || deadline.isExpired() || !ending.startsAgain()) {
                refused(why);
                return;
            }
            firstEnd = why;
            again(session);
        }

        /** A process that ends twice in the same way would end a third time; its starts are left for later calls. */
        private boolean isAsTheFirst(Failure why) {
            var first = firstEnd;
            return first != null
                    && why.code() == ErrorCode.PROVIDER_CRASHED
                    && why.message().equals(first.message());
        }
    }
}
