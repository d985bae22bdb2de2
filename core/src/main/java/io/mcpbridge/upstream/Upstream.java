package io.mcpbridge.upstream;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.upstream.admission.KnownTools;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.listening.ResourceSubscriptions;
import io.mcpbridge.upstream.seats.Seating;
import io.mcpbridge.upstream.toolcalls.IsolatedCalls;
import io.mcpbridge.upstream.toolcalls.SharedCalls;
import io.mcpbridge.upstream.toolcalls.ToolCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Our view of one server: the last handler a call meets. Any thread may use it.
 *
 * <p>Whoever makes it closes it. Sessions are opened when a call needs one, one per kind of caller.
 */
public final class Upstream implements Handler, AutoCloseable {
    private final UpstreamParts parts;
    private final UpstreamHealth health;
    private final DropCounter dropped;
    private final EraMemory eras;
    private final UpstreamSessions sessions;
    private final SessionSlots slots;
    private final Seating seating;
    private final ToolCalls tools;
    private final ResourceSubscriptions subscriptions;
    private final ListRemarks remarks = new ListRemarks();
    private final LeftOut leftOut;
    private final Alarms alarms;
    private final ToolCallHeaders headers = new ToolCallHeaders();
    private volatile Supplier<Optional<HeldOff>> heldOff = Optional::empty;

    /** Makes an upstream that connects to nothing yet. */
    public Upstream(UpstreamParts parts) {
        var environment = parts.environment();
        this.parts = parts;
        this.dropped = new DropCounter(parts.name(), environment.timekeeper(), environment.logger());
        this.leftOut = new LeftOut(parts.name(), environment.logger());
        this.alarms = new Alarms(environment.timekeeper());
        this.health = new UpstreamHealth(parts);
        this.eras = new EraMemory(environment.timekeeper());
        this.sessions = new UpstreamSessions(parts, health, dropped, eras, headers);
        this.slots = sessions.slots();
        this.subscriptions = sessions.subscriptions();
        this.seating = new Seating(slots.seats(), this::connect, sessions::send);
        this.tools = parts.settings().isolation().perCall()
                ? new IsolatedCalls(parts.settings(), environment, sessions.forIsolation())
                : new SharedCalls(seating);
        sessions.onConnected(tools::expect);
    }

    /**
     * Says who hears what the server says that belongs to no call, such as list_changed, together with a caller whose
     * session it said it in; before the first call.
     */
    public void onNotification(BiConsumer<Caller, Notification> listener) {
        sessions.onNotification(listener);
    }

    /**
     * Says who hears that a session took the place of one that was lost, or of one that could not be had; before the first
     * call.
     */
    public void onReconnected(Runnable listener) {
        sessions.onReconnected(listener);
    }

    /**
     * Says who hears that a session is about to take calls whose server may have other tools than before, where the
     * catalog minds that; before the first call.
     */
    public void onOpening(Runnable listener) {
        if (parts.catalog().isStrict()) {
            sessions.onOpening(listener);
        }
    }

    /** Says who knows whether calls get to the server, which is not healthy else; before the first call. */
    public void onStatus(Supplier<Optional<HeldOff>> knowing) {
        heldOff = knowing;
    }

    /** Whether calls are kept from the server at this moment, and why. */
    public Optional<HeldOff> heldOff() {
        return heldOff.get().or(tools::trouble);
    }

    /** Why it is not as it should be though it answers, and since when: no calls get to it, or it does not say what it has. */
    public Optional<HeldOff> trouble() {
        return heldOff().or(remarks::trouble);
    }

    public String name() {
        return parts.name();
    }

    public Environment environment() {
        return parts.environment();
    }

    public EventBus events() {
        return parts.events();
    }

    /** Whether it is one of many, which is connected again, rather than a connection that stands alone. */
    public boolean reconnects() {
        return parts.reconnects();
    }

    /** The section of the configuration that it was made from. */
    public ServerSettings settings() {
        return parts.settings();
    }

    @Override
    public void handle(Call call, Reply reply) {
        var taker = call.request().method().equals(Methods.TOOLS_CALL) ? tools : seating;
        taker.handle(call, reply);
    }

    /** Opens the caller's session if it is not there; {@code reply} hears when it is ready or cannot be. */
    public void connect(Call call, Reply reply) {
        sessions.connect(slots.key(call.caller()), call, reply);
    }

    /**
     * Asks for a sign of life in a session that {@code caller} would use, which is opened where there is none; nobody's
     * call is risked. An answer of any kind is one.
     */
    public void probe(Caller caller, Completion completion) {
        new Probe(this, caller.withoutSession(), parts.deadline(), completion).begin();
    }

    /** Says where the tools are known from, whose schemas tell of headers and which the catalog takes; before the first call. */
    public void knowToolsFrom(KnownTools tools) {
        headers.knowFrom(tools);
        sessions.knowToolsFrom(tools);
    }

    /** What whoever lists what the server has needs of it. */
    public ListSource listSource() {
        return new ListSource(this, parts, slots, alarms, new ListSource.Remarked(dropped, remarks, leftOut));
    }

    /** Who hears of changes of this server's resources. */
    public ResourceSubscriptions subscriptions() {
        return subscriptions;
    }

    /** Has {@code audience} told of changes of a resource, in the session where the caller's client has its calls too. */
    public void subscribe(Call call, String uri, Audience audience, Reply reply) {
        seating.settle(call, reply, () -> subscriptions.add(call, uri, audience, reply));
    }

    /** Tells the server something of a client, which only a server hears that has a session for that client alone. */
    public void tell(Caller caller, Notification notification) {
        slots.seats().ownOf(caller).flatMap(slots::session).ifPresent(session -> session.sendAside(notification));
    }

    /** The era that the server spoke when it was connected last; empty before that. */
    public Optional<Era> era() {
        return profile().map(profile -> profile.version().era());
    }

    /** What the server said of itself when it was connected last. */
    public Optional<ServerProfile> profile() {
        return Optional.ofNullable(health.phase().profile());
    }

    public UpstreamStatus status() {
        var phase = health.phase();
        var current = trouble().map(phase::heldOff).orElse(phase);
        var noted = new ArrayList<>(remarks.all());
        noted.addAll(tools.remarks());
        var open = slots.sessions();
        var traits = open.stream().map(session -> session.transport().traits()).findFirst();
        return new UpstreamStatus(
                name(),
                parts.settings().type(),
                traits.map(TransportTraits::address).orElse(""),
                traits.map(TransportTraits::pid).orElse(OptionalLong.empty()),
                current.state(),
                current.since(),
                current.error(),
                Optional.ofNullable(current.errorAt()),
                Optional.ofNullable(current.profile()),
                eras.last(),
                open.size(),
                current.connections(),
                open.stream().mapToInt(UpstreamSession::callsInFlight).sum() + tools.underWayElsewhere(),
                dropped.total(),
                List.copyOf(noted),
                health.vitals());
    }

    /** What is kept for clients at the server: sessions by what it can ask them, subscriptions, the level of its log. */
    public List<Reading> readings() {
        var readings = new ArrayList<>(KeptForClients.readings(slots.connected(), subscriptions.count()));
        readings.add(leftOut.reading());
        readings.addAll(tools.readings());
        return readings;
    }

    /**
     * Ends every session and every call of this server; waits until the transports are closed. Its tools stay in the
     * catalog until the owner forgets them there, since a successor of the same name may have listed already.
     */
    @Override
    public void close() {
        health.close();
        alarms.close();
        tools.close(parts.closed());
        slots.close(parts.closed());
    }

    /** What calls are told once this upstream is closed; empty before. */
    Optional<Failure> closed() {
        return health.isClosed() ? Optional.of(parts.closed()) : Optional.empty();
    }
}
