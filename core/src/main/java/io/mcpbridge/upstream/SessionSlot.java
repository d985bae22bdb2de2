package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.upstream.WaitingCalls.Waiting;
import io.mcpbridge.upstream.admission.CallQueue;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.session.Backoff;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The place of one session: opens it when a call needs it, parks calls until it is ready, and makes room for the
 * next one when it ends. Any thread may use it.
 */
final class SessionSlot implements SessionOpening.Ending, Reconnection.Place {
    private final UpstreamParts parts;
    private final EraMemory eras;
    private final SessionKey key;
    private final Caller caller;
    private final SessionEvents events;
    private final Backoff backoff;
    private final Reconnection reconnection;
    private final SlotState state;
    private final SlotCalls calls;
    private final SlotUse use = new SlotUse();

    /** Sessions that take no new calls and end with those that they have. */
    private final Set<UpstreamSession> emptying = ConcurrentHashMap.newKeySet();

    SessionSlot(
            UpstreamParts parts, EraMemory eras, CallQueue queue, SessionKey key, Caller caller, SessionEvents events) {
        this.parts = parts;
        this.eras = eras;
        this.key = key;
        this.caller = caller;
        this.events = events;
        this.backoff = new Backoff(
                parts.environment().timekeeper(), parts.environment().random(), parts.starts());
        this.state = new SlotState(parts, backoff, this::opening, use);
        this.calls = new SlotCalls(parts.name(), queue, events.admission(), state, this::begin);
        this.reconnection = new Reconnection(parts.settings().reconnect(), parts.environment(), this);
    }

    /** One of the callers whose session it is. */
    Caller caller() {
        return caller;
    }

    Optional<UpstreamSession> session() {
        return Optional.ofNullable(state.ready());
    }

    /** Who may use it. */
    SessionKey key() {
        return key;
    }

    /** Who is about to use it. */
    SlotUse use() {
        return use;
    }

    boolean isConnected() {
        return state.open() != null;
    }

    void send(Call call, Reply reply) {
        calls.send(call, reply);
    }

    /** Opens the session if it is not there, without sending anything; {@code reply} hears when it is ready. */
    void connect(Call call, Reply reply) {
        calls.connect(call, reply);
    }

    private SessionOpening opening() {
        return new SessionOpening(parts, parts::transport, eras, caller, events.of(this), this);
    }

    private void begin(SessionOpening opening) {
        events.connecting();
        opening.begin();
    }

    @Override
    public boolean startsAgain() {
        return backoff.beginsAgain();
    }

    @Override
    public void failed(SessionOpening failed, Failure why) {
        var failure = why.withServer(parts.name()).withDelivery(Delivery.NOT_SENT);
        backoff.failed(failure);
        var parked = state.failed(failure);
        events.openingFailed(failure);
        if (isWantedAgain()) {
            reconnection.failed(failure);
        }
        fail(parked, failure);
    }

    private void fail(List<Waiting> parked, Failure why) {
        parked.forEach(each -> parts.tell(() -> each.fail(why)));
    }

    @Override
    public void opened(SessionOpening done, UpstreamSession session, ServerProfile profile) {
        // Before it takes calls: whoever subscribes then finds the listening of a modern server there.
        events.opening(this, session, profile);
        var opened = state.opened(session);
        if (opened.isEmpty()) {
            failed(done, session.ending().why().map(Closed::toFailure).orElseGet(parts::goneAtOnce));
            parts.closeLater(session);
            return;
        }
        var tries = reconnection.opened();
        events.opened(this, session, profile, opened.get().isAgain() ? tries : 0);
        if (opened.get().isLate()) {
            events.openedLate();
        }
        opened.get().parked().forEach(each -> each.send(session));
    }

    /** The session is over; the next call opens another one, where this upstream reconnects. */
    void closed(UpstreamSession session, Closed why) {
        if (state.leave(session, why.toFailure())) {
            backoff.ended(session.use(), why);
            events.disconnected(why);
            lost(session, why.toFailure());
        }
    }

    /** Gives a session up that the server has forgotten, without waiting for its calls to end. */
    void retire(UpstreamSession session, Failure why) {
        if (state.leave(session, why)) {
            events.disconnected(Closed.disconnected(why.message()));
            lost(session, why);
            session.ending().forgotten(why);
            parts.closeLater(session);
        }
    }

    /** Gives a session up for new calls; those that are under way there may still be answered. */
    void outlive(UpstreamSession session, Failure why) {
        if (state.leave(session, why)) {
            events.disconnected(Closed.disconnected(why.message()));
            lost(session, why);
            emptying.add(session);
            session.ending().whenEmpty(() -> {
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

    /**
     * Whether it is connected without a call: a session of one user or client is only where somebody listens, as nobody
     * may be there to use it.
     */
    private boolean isWantedAgain() {
        if (!parts.reconnects() || state.isOver()) {
            return false;
        }
        return (parts.settings().shared() && key.isCommon()) || events.isListenedTo(this);
    }

    @Override
    public void reopen() {
        state.reopen().ifPresent(this::begin);
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

    /** Ends for good, unless something is under way or about to be, or a connection had a call within {@code idle}: false then. */
    boolean dismiss(Duration idle) {
        var rest = state.dismiss(idle);
        rest.ifPresent(over -> {
            reconnection.close();
            Optional.ofNullable(over.session()).ifPresent(parts::closeLater);
        });
        return rest.isPresent();
    }

    /** Ends the session and every call that waits for one; waits until the transport is closed. */
    void close(Failure why) {
        hangUp(why).run();
    }

    /** The same without waiting, which is for what it returns. */
    Runnable hangUp(Failure why) {
        reconnection.close();
        var rest = state.close(why);
        fail(rest.parked(), why);
        var begun = Optional.ofNullable(rest.begun());
        var session = Optional.ofNullable(rest.session());
        begun.ifPresent(SessionOpening::hangUp);
        session.ifPresent(UpstreamSession::hangUp);
        emptying.forEach(UpstreamSession::hangUp);
        return () -> {
            begun.ifPresent(SessionOpening::giveUp);
            session.ifPresent(UpstreamSession::close);
            emptying.forEach(UpstreamSession::close);
        };
    }
}
