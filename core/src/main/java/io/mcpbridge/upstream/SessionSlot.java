package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.upstream.WaitingCalls.Waiting;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The place of one session: opens it when a call needs it, parks calls until it is ready, and makes room for the
 * next one when it ends. Any thread may use it.
 */
final class SessionSlot {
    private final UpstreamParts parts;
    private final Caller caller;
    private final SessionEvents events;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final WaitingCalls waiting;

    @GuardedBy("lock")
    private boolean isOpening;

    /** The session that is being connected and greeted, so that closing the slot can end it too. */
    @GuardedBy("lock")
    private @Nullable UpstreamSession opening;

    @GuardedBy("lock")
    private @Nullable Failure ended;

    private volatile @Nullable UpstreamSession ready;

    SessionSlot(UpstreamParts parts, Caller caller, SessionEvents events) {
        this.parts = parts;
        this.caller = caller;
        this.events = events;
        this.backoff = new Backoff(
                parts.environment().timekeeper(), parts.environment().random());
        this.waiting = new WaitingCalls(parts.name(), parts.queueLimit());
    }

    Optional<UpstreamSession> session() {
        return Optional.ofNullable(ready);
    }

    void send(Call call, Reply reply) {
        var session = ready;
        if (session != null && !session.isClosed()) {
            session.send(call, reply);
            return;
        }
        park(new Waiting(parts.name(), call, reply, opened -> opened.send(call, reply)), reply);
    }

    /** Opens the session if it is not there, without sending anything; {@code reply} hears when it is ready. */
    void connect(Call call, Reply reply) {
        var ready = Outcome.answered(Response.result(call.request().id(), "{}"));
        var session = this.ready;
        if (session != null && !session.isClosed()) {
            reply.done(ready);
            return;
        }
        park(new Waiting(parts.name(), call, reply, opened -> reply.done(ready)), reply);
    }

    private void park(Waiting parked, Reply reply) {
        var opens = false;
        Failure refusal;
        lock.lock();
        try {
            refusal = refusal(parked);
            if (refusal == null && !isOpening) {
                isOpening = true;
                opens = true;
            }
        } finally {
            lock.unlock();
        }
        if (refusal != null) {
            reply.done(Outcome.failed(refusal.withServer(parts.name())));
            return;
        }
        parked.watch(() -> forget(parked));
        if (opens) {
            parts.environment().workers().execute(this::open);
        }
    }

    @GuardedBy("lock")
    private @Nullable Failure refusal(Waiting parked) {
        if (ended != null) {
            return ended;
        }
        if (!isOpening && backoff.holdsOff()) {
            return backoff.refusal(parts.name());
        }
        return waiting.add(parked) ? null : waiting.overflow();
    }

    private void forget(Waiting parked) {
        lock.lock();
        try {
            waiting.remove(parked);
        } finally {
            lock.unlock();
        }
    }

    /** Runs on a worker thread, which may wait for the connection but not for the handshake. */
    private void open() {
        events.connecting();
        var deadline = parts.deadline();
        UpstreamSession session = null;
        try {
            session = new UpstreamSession(
                    parts.name(),
                    parts.transports().create(),
                    parts.environment().timekeeper(),
                    events.of(this));
            begin(session);
            session.transport().open(session, deadline);
        } catch (BridgeException failed) {
            openingFailed(session, failed.failure());
            return;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            openingFailed(
                    session,
                    Failure.of(ErrorCode.SHUTTING_DOWN, "connecting to '%s' was interrupted".formatted(parts.name())));
            return;
        } catch (RuntimeException bug) {
            // The outermost frame of a worker: a plug-in's defect must not leave the calls parked.
            openingFailed(
                    session,
                    Failure.of(
                                    ErrorCode.INTERNAL_ERROR,
                                    "the transport of '%s' failed: %s".formatted(parts.name(), bug))
                            .withCause(bug));
            return;
        }
        new Handshake(session, caller, parts.identity(), deadline, new Opened(session)).begin();
    }

    /** Notes what is being opened, unless the slot was closed meanwhile. */
    private void begin(UpstreamSession session) {
        lock.lock();
        try {
            if (ended != null) {
                throw TransportException.of(ended);
            }
            opening = session;
        } finally {
            lock.unlock();
        }
    }

    private void openingFailed(@Nullable UpstreamSession session, Failure why) {
        var failure = why.withServer(parts.name()).withDelivery(Delivery.NOT_SENT);
        backoff.failed(failure);
        List<Waiting> parked;
        lock.lock();
        try {
            isOpening = false;
            opening = null;
            parked = waiting.takeAll();
            if (!parts.reconnects()) {
                ended = failure;
            }
        } finally {
            lock.unlock();
        }
        if (session != null) {
            closeLater(session);
        }
        events.openingFailed(failure);
        parked.forEach(each -> each.fail(failure));
    }

    private void opened(UpstreamSession session, ServerProfile profile) {
        backoff.succeeded();
        var isLate = false;
        List<Waiting> parked;
        lock.lock();
        try {
            isOpening = false;
            opening = null;
            isLate = ended != null || session.isClosed();
            if (!isLate) {
                ready = session;
            }
            parked = waiting.takeAll();
        } finally {
            lock.unlock();
        }
        if (isLate) {
            closeLater(session);
            var gone = Failure.of(
                    ErrorCode.PROVIDER_UNAVAILABLE, "the connection to '%s' ended at once".formatted(parts.name()));
            parked.forEach(each -> each.fail(gone));
            return;
        }
        events.opened(session, profile);
        parked.forEach(each -> each.send(session));
    }

    /** The session is over; the next call opens another one, where this upstream reconnects. */
    void closed(UpstreamSession session, Closed why) {
        lock.lock();
        try {
            if (ready != session) {
                return;
            }
            ready = null;
            if (!parts.reconnects() && ended == null) {
                ended = why.toFailure();
            }
        } finally {
            lock.unlock();
        }
        events.disconnected(why);
    }

    /** Gives a session up that the server has forgotten, without waiting for its calls to end. */
    void retire(UpstreamSession session) {
        lock.lock();
        try {
            if (ready != session) {
                return;
            }
            ready = null;
        } finally {
            lock.unlock();
        }
        closeLater(session);
    }

    /** Ends the session and every call that waits for one; waits until the transport is closed. */
    void close(Failure why) {
        List<Waiting> parked;
        UpstreamSession session;
        UpstreamSession halfOpen;
        lock.lock();
        try {
            ended = why;
            session = ready;
            ready = null;
            halfOpen = opening;
            opening = null;
            parked = waiting.takeAll();
        } finally {
            lock.unlock();
        }
        parked.forEach(each -> each.fail(why));
        if (session != null) {
            session.close();
        }
        if (halfOpen != null) {
            halfOpen.close();
        }
    }

    private void closeLater(UpstreamSession session) {
        try {
            parts.environment().workers().execute(session::close);
        } catch (RejectedExecutionException ending) {
            // The bridge is ending and has no worker left; a transport that is not closed would stay behind.
            session.close();
        }
    }

    private final class Opened implements Handshake.Ending {
        private final UpstreamSession session;

        private Opened(UpstreamSession session) {
            this.session = session;
        }

        @Override
        public void ready(ServerProfile profile) {
            opened(session, profile);
        }

        @Override
        public void refused(Failure why) {
            openingFailed(session, why);
        }
    }
}
