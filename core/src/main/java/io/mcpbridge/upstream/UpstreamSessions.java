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
import io.mcpbridge.upstream.admission.CallAdmission;
import io.mcpbridge.upstream.admission.KnownTools;
import io.mcpbridge.upstream.health.Latencies;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.listening.ResourceSubscriptions;
import io.mcpbridge.upstream.seats.Occupant;
import io.mcpbridge.upstream.session.SessionKey;
import io.mcpbridge.upstream.toolcalls.IsolatedCalls;
import io.mcpbridge.upstream.toolcalls.IsolatedStart;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The sessions of an {@link Upstream}: sends calls over them, and has whoever is concerned hear what happens there. Any
 * thread; nothing waits.
 */
final class UpstreamSessions implements SessionEvents, SlotListener.Unasked {
    private final UpstreamParts parts;
    private final EraMemory eras;
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
        this.eras = eras;
        this.health = health;
        this.dropped = dropped;
        this.headers = headers;
        this.resending = new Resending(parts, eras, headers, new Authorization(parts));
        this.slots = new SessionSlots(parts, eras, this);
        this.subscriptions = new ResourceSubscriptions(new SubscribedUpstream(this, parts, slots, dropped));
        this.upkeep = new SessionUpkeep(parts, subscriptions);
        this.admission = new CallAdmission(
                parts.name(), parts.catalog(), parts.settings().toolFilter());
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

    /** What calls that have a process each share with those that are sent here. */
    IsolatedCalls.Means forIsolation() {
        return new IsolatedCalls.Means(eras, slots.queue(), admission, this::start, this::unanswered);
    }

    private IsolatedStart start(ChildKind kind, Caller caller, IsolatedStart.Ending ending) {
        return new ChildStart(parts, eras, this, kind, caller, admission.isStrict(), ending);
    }

    ResourceSubscriptions subscriptions() {
        return subscriptions;
    }

    /** Sends a call over the session with this key, or what stands for it. */
    void send(SessionKey key, Call call, Reply reply) {
        use(key, call.caller(), reply, slot -> slot.send(call, reply));
    }

    /** Opens the session with this key, or what stands for it. */
    void connect(SessionKey key, Call call, Reply reply) {
        use(key, call.caller(), reply, slot -> slot.connect(call, reply));
    }

    /** Uses the slot, if there is room for it; else {@code reply} hears that there is none. */
    private void use(SessionKey key, Caller caller, Reply reply, Consumer<SessionSlot> what) {
        if (health.isClosed()) {
            reply.done(Outcome.failed(parts.closed()));
        } else if (!slots.use(key, caller, slot -> use(slot, what))) {
            reply.done(Outcome.failed(slots.overflow(caller)));
        }
    }

    private void use(SessionSlot slot, Consumer<SessionSlot> what) {
        if (health.isClosed()) {
            // Closing may have passed by before the slot was there.
            slot.close(parts.closed());
        }
        what.accept(slot);
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
