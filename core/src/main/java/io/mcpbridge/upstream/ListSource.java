package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.era.ParamHeaders;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** One server as whoever reads its lists sees it; made by its {@link Upstream}. Any thread; nothing here waits. */
public final class ListSource {
    private final Upstream upstream;
    private final UpstreamParts parts;
    private final SessionSlots slots;
    private final Alarms alarms;
    private final DropCounter dropped;
    private final ListRemarks remarks;
    private final LeftOut leftOut;

    /** What operators are told of the lists, which all who read them share. */
    record Remarked(DropCounter dropped, ListRemarks lists, LeftOut leftOut) {}

    ListSource(Upstream upstream, UpstreamParts parts, SessionSlots slots, Alarms alarms, Remarked remarked) {
        this.upstream = upstream;
        this.parts = parts;
        this.slots = slots;
        this.alarms = alarms;
        this.dropped = remarked.dropped();
        this.remarks = remarked.lists();
        this.leftOut = remarked.leftOut();
    }

    /** The server itself, which is asked for the pages. */
    public Upstream upstream() {
        return upstream;
    }

    /** Where its tools are kept. */
    public ToolCatalog catalog() {
        return parts.catalog();
    }

    /** The moment by which it must have answered a request of our own that is sent now. */
    public Deadline deadline() {
        return parts.deadline();
    }

    /** What time it is, in nanoseconds from some moment on. */
    public long nanoTime() {
        return parts.environment().timekeeper().nanoTime();
    }

    /** Whether a page that was lost with its connection may be asked for once more, as calls are repeated. */
    public boolean mayBeAskedAgain() {
        return parts.reconnects()
                && parts.settings().retry().maxRetries() > 0
                && !parts.retryPolicy().equals("none");
    }

    /** A client wants to know a list; where nobody has the session that is there for all, it is this client's now. */
    public void asked(Caller caller) {
        slots.seats().claim(caller);
    }

    /** Whether the session that {@code caller} would use is there. */
    public boolean isConnected(Caller caller) {
        return slots.isConnected(slots.key(caller));
    }

    /** Whether the caller's session repeats arguments in headers: that of a modern server over HTTP. */
    private boolean repeatsArguments(Caller caller) {
        return slots.open(slots.key(caller))
                .filter(session -> session.isModern() && !session.sharesStream())
                .isPresent();
    }

    /**
     * Takes a place among the calls that wait for this server, for one that waits for its tools.
     *
     * @param full hears why there is none left
     * @return leaves the place; calling it twice is harmless
     */
    public Runnable enterQueue(Consumer<Failure> full) {
        var place = slots.queue().enter();
        if (place == null) {
            full.accept(slots.queue().overflow());
            return () -> {};
        }
        return place::leave;
    }

    /** What is to be told instead of a list, once the server is closed; empty before. */
    public Optional<Failure> closed() {
        return upstream.closed();
    }

    /** Counts something from the server that belongs to nobody, and tells the log now and then. */
    public void dropped(String what) {
        dropped.count(what);
    }

    /**
     * Elements of a kind were listed anew, and these among them cannot be used; whatever else was not usable before is now.
     *
     * @param word what people call one of them
     * @param reasons why not, by their names
     * @return the same in words that can be shown to anybody
     */
    public Map<String, String> leftOut(String word, Map<String, String> reasons) {
        reasons.keySet().forEach(each -> dropped.countQuietly());
        return leftOut.replace(word, reasons);
    }

    /** The era that the server speaks. */
    public Era era() {
        return upstream.era().orElse(Era.LEGACY);
    }

    /**
     * Why a tool cannot be shown to anybody: its definition breaks the protocol, or it cannot be called over the connection
     * of {@code caller}, since its schema says something wrong about headers.
     */
    public Optional<String> flaw(ToolDefinition tool, Caller caller) {
        return parts.flaw(tool, era())
                .or(() -> repeatsArguments(caller)
                        ? ParamHeaders.flaw(tool.inputSchema().orElse("{}"))
                        : Optional.empty());
    }

    /**
     * Does something that may take a while.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the bridge is ending
     */
    public void work(Runnable action) {
        parts.environment().workers().execute(action);
    }

    /** Does something later, unless the server is closed by then; it must not wait. */
    public Alarm after(Duration delay, Runnable action) {
        return alarms.schedule(delay, action);
    }

    /** The server calls a list of this kind changed without end, in these words, or does so no longer. */
    public void restless(String kind, Optional<String> why) {
        var timekeeper = parts.environment().timekeeper();
        remarks.restless(kind, why.map(words -> new HeldOff(words, timekeeper.now())));
        why.ifPresent(words -> parts.environment().logger().log(Level.WARNING, "[mcp-bridge] " + words));
    }

    /** The list of this kind cannot be had though the server is connected, in these words, or is there again. */
    public void unlisted(String kind, Optional<String> why) {
        var now = parts.environment().timekeeper().now();
        remarks.unlisted(kind, why.map(words -> new HeldOff(words, now)));
    }

    /** The remark of the last listing of this kind for operators, or that there is none. */
    public void remark(String kind, Optional<String> remark) {
        remarks.put(kind, remark);
    }
}
