package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.upstream.WaitingCalls.Waiting;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.session.Backoff;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The place of one session: opens it when a call needs it, parks calls until it is ready, and makes room for the
 * next one when it ends. Any thread may use it.
 */
final class SessionSlot implements SessionOpening.Ending, Reconnection.Place {
    private final UpstreamParts parts;
    private final EraMemory eras;
    private final CallQueue queue;
    private final SessionKey key;
    private final Caller caller;
    private final SessionEvents events;
    private final Backoff backoff;
    private final Reconnection reconnection;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final WaitingCalls waiting = new WaitingCalls();

    @GuardedBy("lock")
    private @Nullable SessionOpening opening;

    @GuardedBy("lock")
    private @Nullable Failure ended;

    @GuardedBy("lock")
    private boolean wasReady;

    @GuardedBy("lock")
    private boolean wasMissed;

    private volatile @Nullable UpstreamSession ready;

    /** Sessions that take no new calls and end with those that they have. */
    private final Set<UpstreamSession> emptying = ConcurrentHashMap.newKeySet();

    SessionSlot(
            UpstreamParts parts, EraMemory eras, CallQueue queue, SessionKey key, Caller caller, SessionEvents events) {
        this.parts = parts;
        this.eras = eras;
        this.queue = queue;
        this.key = key;
        this.caller = caller;
        this.events = events;
        this.backoff = new Backoff(
                parts.environment().timekeeper(), parts.environment().random(), parts.starts());
        this.reconnection = new Reconnection(parts.settings().reconnect(), parts.environment(), this);
    }

    /** One of the callers whose session it is. */
    Caller caller() {
        return caller;
    }

    Optional<UpstreamSession> session() {
        return Optional.ofNullable(ready);
    }

    /** Who may use it. */
    SessionKey key() {
        return key;
    }

    boolean isConnected() {
        var session = ready;
        return session != null && !session.isClosed();
    }

    void send(Call call, Reply reply) {
        var place = queue.enter();
        if (place == null) {
            reply.done(Outcome.failed(queue.overflow()));
            return;
        }
        var session = ready;
        if (session != null && !session.isClosed()) {
            session.send(call, reply, place);
            return;
        }
        park(new Waiting(parts.name(), call, reply, place, opened -> opened.send(call, reply, place)));
    }

    /** Opens the session if it is not there, without sending anything; {@code reply} hears when it is ready. */
    void connect(Call call, Reply reply) {
        var done = Outcome.answered(Response.result(call.request().id(), "{}"));
        park(new Waiting(parts.name(), call, reply, CallQueue.Place.UNCOUNTED, opened -> reply.done(done)));
    }

    private void park(Waiting parked) {
        UpstreamSession session;
        SessionOpening begun = null;
        Failure refusal = null;
        lock.lock();
        try {
            // Asked again under the lock, which whoever opens a session holds when it becomes ready.
            session = ready;
            if (session == null || session.isClosed()) {
                session = null;
                refusal = refusal(parked);
                begun = refusal == null ? next() : null;
            }
        } finally {
            lock.unlock();
        }
        if (session != null) {
            parked.send(session);
        } else if (refusal != null) {
            parked.fail(refusal);
        } else {
            parked.watch(() -> forget(parked));
            if (begun != null) {
                events.connecting();
                begun.begin();
            }
        }
    }

    @GuardedBy("lock")
    private @Nullable Failure refusal(Waiting parked) {
        if (ended != null) {
            return ended;
        }
        if (opening == null && backoff.holdsOff()) {
            return backoff.refusal(parts.name());
        }
        waiting.add(parked);
        return null;
    }

    /** A new opening, or null if one is under way. */
    @GuardedBy("lock")
    private @Nullable SessionOpening next() {
        if (opening != null) {
            return null;
        }
        backoff.begun();
        opening = new SessionOpening(parts, eras, caller, events.of(this), this);
        return opening;
    }

    private void forget(Waiting parked) {
        lock.lock();
        try {
            waiting.remove(parked);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void failed(SessionOpening failed, Failure why) {
        var failure = why.withServer(parts.name()).withDelivery(Delivery.NOT_SENT);
        backoff.failed(failure);
        List<Waiting> parked;
        lock.lock();
        try {
            opening = null;
            wasMissed = true;
            parked = waiting.takeAll();
            endUnlessReconnecting(failure);
        } finally {
            lock.unlock();
        }
        events.openingFailed(failure);
        if (isWantedAgain()) {
            reconnection.failed(failure);
        }
        parked.forEach(each -> each.fail(failure));
    }

    @Override
    public void opened(SessionOpening done, UpstreamSession session, ServerProfile profile) {
        var isTaken = false;
        var again = false;
        var isLate = false;
        List<Waiting> parked = List.of();
        lock.lock();
        try {
            if (ended == null && !session.isClosed()) {
                isTaken = true;
                opening = null;
                ready = session;
                again = wasReady;
                isLate = wasMissed && !wasReady;
                wasMissed = false;
                wasReady = true;
                parked = waiting.takeAll();
            }
        } finally {
            lock.unlock();
        }
        if (!isTaken) {
            failed(done, session.end().map(Closed::toFailure).orElseGet(parts::goneAtOnce));
            parts.closeLater(session);
            return;
        }
        var tries = reconnection.opened();
        events.opened(this, session, profile, again ? tries : 0);
        if (isLate) {
            events.openedLate();
        }
        parked.forEach(each -> each.send(session));
    }

    /** The session is over; the next call opens another one, where this upstream reconnects. */
    void closed(UpstreamSession session, Closed why) {
        if (leave(session, why.toFailure())) {
            backoff.ended(session.use(), why);
            events.disconnected(why);
            lost(session, why.toFailure());
        }
    }

    /** Gives a session up that the server has forgotten, without waiting for its calls to end. */
    void retire(UpstreamSession session, Failure why) {
        if (leave(session, why)) {
            events.disconnected(Closed.disconnected(why.message()));
            lost(session, why);
            parts.closeLater(session);
        }
    }

    /** Gives a session up for new calls; those that are under way there may still be answered. */
    void outlive(UpstreamSession session, Failure why) {
        if (leave(session, why)) {
            events.disconnected(Closed.disconnected(why.message()));
            lost(session, why);
            emptying.add(session);
            session.whenEmpty(() -> {
                emptying.remove(session);
                parts.closeLater(session);
            });
        }
    }

    /** Ends a session whose server may never end it: its calls hear at once, and nobody waits for the transport. */
    void abandon(UpstreamSession session, Closed why) {
        session.closed(why);
        parts.closeLater(session);
    }

    private void lost(UpstreamSession session, Failure why) {
        if (isWantedAgain()) {
            reconnection.lost(session.use().wasWorthIt(), why);
        }
    }

    /** Whether it is connected without a call: a session of one user or client is not, as nobody may be there to use it. */
    private boolean isWantedAgain() {
        lock.lock();
        try {
            return parts.reconnects() && parts.settings().shared() && key.isCommon() && ended == null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void reopen() {
        SessionOpening begun = null;
        lock.lock();
        try {
            var session = ready;
            if (ended == null && (session == null || session.isClosed())) {
                begun = next();
            }
        } finally {
            lock.unlock();
        }
        if (begun != null) {
            events.connecting();
            begun.begin();
        }
    }

    @Override
    public Duration heldOff() {
        return backoff.heldOff();
    }

    @Override
    public void postponed() {
        events.openingFailed(backoff.refusal(parts.name()));
    }

    @Override
    public void exhausted(int tries, Failure why) {
        events.exhausted(tries, why);
    }

    private boolean leave(UpstreamSession session, Failure why) {
        lock.lock();
        try {
            if (ready != session) {
                return false;
            }
            ready = null;
            endUnlessReconnecting(why);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void endUnlessReconnecting(Failure why) {
        if (!parts.reconnects() && ended == null) {
            ended = parts.lost(why);
        }
    }

    /** Ends for good, unless something is under way or a connection had a call within {@code idle}: false then. */
    boolean dismiss(Duration idle) {
        UpstreamSession session;
        lock.lock();
        try {
            session = ready;
            if (opening != null || waiting.size() > 0 || (session != null && session.isUsedWithin(idle))) {
                return false;
            }
            ended = parts.dismissed();
            reconnection.close();
            ready = null;
        } finally {
            lock.unlock();
        }
        if (session != null) {
            parts.closeLater(session);
        }
        return true;
    }

    /** Ends the session and every call that waits for one; waits until the transport is closed. */
    void close(Failure why) {
        reconnection.close();
        List<Waiting> parked;
        UpstreamSession session;
        SessionOpening begun;
        lock.lock();
        try {
            ended = why;
            session = ready;
            ready = null;
            begun = opening;
            parked = waiting.takeAll();
        } finally {
            lock.unlock();
        }
        parked.forEach(each -> each.fail(why));
        if (begun != null) {
            begun.giveUp();
        }
        if (session != null) {
            session.close();
        }
        emptying.forEach(UpstreamSession::close);
    }
}
