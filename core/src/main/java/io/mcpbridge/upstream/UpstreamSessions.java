package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.pipeline.Bystanders;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.upstream.health.Latencies;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.listening.ResourceSubscriptions;
import io.mcpbridge.upstream.seats.Occupant;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The sessions of an {@link Upstream}: sends calls over them, and has whoever is concerned hear what happens there. Any
 * thread; nothing waits.
 */
final class UpstreamSessions implements SessionEvents, SlotListener.Unasked {
    private final UpstreamParts parts;
    private final UpstreamHealth health;
    private final DropCounter dropped;
    private final ToolCallHeaders headers;
    private final Resending resending;
    private final SessionSlots slots;
    private final ResourceSubscriptions subscriptions;
    private final SessionUpkeep upkeep;
    private volatile BiConsumer<Caller, Notification> onNotification = (caller, notification) -> {};
    private final CallAdmission admission;
    private volatile Runnable onReconnected = () -> {};
    private volatile Runnable onOpening = () -> {};
    private volatile Consumer<Caller> onConnected = caller -> {};

    UpstreamSessions(
            UpstreamParts parts, UpstreamHealth health, DropCounter dropped, EraMemory eras, ToolCallHeaders headers) {
        this.parts = parts;
        this.health = health;
        this.dropped = dropped;
        this.headers = headers;
        this.resending = new Resending(parts, eras, headers, new Authorization(parts));
        this.slots = new SessionSlots(parts, eras, this);
        this.subscriptions = new ResourceSubscriptions(new SubscribedUpstream(this, parts, slots, dropped));
        this.upkeep = new SessionUpkeep(parts, subscriptions);
        this.admission = new CallAdmission(parts);
    }

    void onNotification(BiConsumer<Caller, Notification> listener) {
        onNotification = listener;
    }

    void onReconnected(Runnable listener) {
        onReconnected = listener;
    }

    void onOpening(Runnable listener) {
        onOpening = listener;
    }

    /** Says who hears that a session is ready that is there for all callers like this one; before the first call. */
    void onConnected(Consumer<Caller> listener) {
        onConnected = listener;
    }

    void knowToolsFrom(KnownTools tools) {
        admission.knowFrom(tools);
    }

    SessionSlots slots() {
        return slots;
    }

    ResourceSubscriptions subscriptions() {
        return subscriptions;
    }

    /** Sends a call over the session with this key, or what stands for it. */
    void send(SessionKey key, Call call, Reply reply) {
        slot(key, call.caller(), reply).ifPresent(slot -> slot.send(call, reply));
    }

    /** Opens the session with this key, or what stands for it. */
    void connect(SessionKey key, Call call, Reply reply) {
        slot(key, call.caller(), reply).ifPresent(slot -> slot.connect(call, reply));
    }

    /** The slot, if there is room for it; else {@code reply} hears that there is none. */
    private Optional<SessionSlot> slot(SessionKey key, Caller caller, Reply reply) {
        if (health.isClosed()) {
            reply.done(Outcome.failed(parts.closed()));
            return Optional.empty();
        }
        var slot = slots.orJoined(key, caller);
        if (slot.isEmpty()) {
            reply.done(Outcome.failed(slots.overflow(caller)));
        } else if (health.isClosed()) {
            // Closing may have passed by before the slot was there.
            slot.get().close(parts.closed());
        }
        return slot;
    }

    @Override
    public void connecting() {
        health.connecting();
    }

    @Override
    public void opening(SessionSlot slot, UpstreamSession session, ServerProfile profile) {
        onOpening.run();
        upkeep.prepare(slot.key(), session, profile);
    }

    @Override
    public CallAdmission admission() {
        return admission;
    }

    @Override
    public void opened(SessionSlot slot, UpstreamSession session, ServerProfile profile, int tries) {
        slots.seats().connected(session);
        if (slot.key().isCommon()) {
            health.connected(profile, tries);
            onConnected.accept(slot.caller());
        }
        upkeep.begin(slot, session, profile);
        if (tries > 0) {
            onReconnected.run();
        }
    }

    @Override
    public void openedLate() {
        onReconnected.run();
    }

    @Override
    public void openingFailed(Failure why) {
        health.connectingFailed(why);
    }

    @Override
    public void disconnected(Closed why) {
        health.disconnected(why);
    }

    @Override
    public void exhausted(int tries, Failure why) {
        health.exhausted(tries, why);
    }

    @Override
    public boolean isListenedTo(SessionSlot slot) {
        return upkeep.isListenedTo(slot.key(), slot.session());
    }

    @Override
    public SessionListener of(SessionSlot slot) {
        return new SlotListener(slot, resending, headers, this);
    }

    @Override
    public void unanswered(Failure why) {
        health.unanswered(why);
    }

    @Override
    public Occupant occupant(SessionSlot slot) {
        return slots.seats().occupant(slot.key());
    }

    @Override
    public void beat(SessionSlot slot, Duration latency) {
        if (slot.key().isCommon()) {
            health.beat(latency);
        }
    }

    @Override
    public void doubted(SessionSlot slot, String why) {
        if (slot.key().isCommon()) {
            health.doubted(why);
        }
    }

    @Override
    public Latencies latencies() {
        return health.latencies();
    }

    @Override
    public Bystanders bystanders() {
        return parts.bystanders();
    }

    @Override
    public void notified(SessionSlot slot, UpstreamSession session, Notification notification) {
        onNotification.accept(slot.caller(), notification);
        var isUpdate = notification.method().equals(Methods.RESOURCES_UPDATED);
        if (isUpdate && !upkeep.updated(slot.key(), session, notification)) {
            dropped.count("a change of a resource that nobody has subscribed to");
        }
    }

    @Override
    public void dropped(String what) {
        dropped.count(what);
    }
}
