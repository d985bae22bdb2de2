package io.mcpbridge.upstream.admission;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.SingleEnd;
import io.mcpbridge.config.NameFilter;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolFinding;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets no call of a tool through to a server that the configuration denies, or that the catalog does not take where it is
 * strict. Asked when a call is about to be sent in a session: what the server listed in another one says nothing of this.
 * Any thread; nothing here waits.
 */
public final class CallAdmission {
    private final String server;
    private final ToolCatalog catalog;
    private final NameFilter filter;
    private final boolean isFiltered;
    private final boolean isStrict;
    private volatile @Nullable KnownTools tools;

    /**
     * Admits calls to one server.
     *
     * @param filter which tools the configuration lets through
     */
    public CallAdmission(String server, ToolCatalog catalog, NameFilter filter) {
        this.server = server;
        this.catalog = catalog;
        this.filter = filter;
        this.isFiltered = !filter.equals(NameFilter.ALL);
        this.isStrict = catalog.isStrict();
    }

    /** Says where tools are known from. */
    public void knowFrom(KnownTools newTools) {
        tools = newTools;
    }

    /** The last change of the tools that the server told before {@code call} came, which need not wait for later ones. */
    public long lastChange(Call call) {
        var known = tools;
        if (!isStrict || known == null || !call.request().method().equals(Methods.TOOLS_CALL)) {
            return 0;
        }
        return known.lastChange(call.caller());
    }

    /**
     * Whether the call may be sent as far as that is known now.
     *
     * @param change what {@link #lastChange} was when the call came
     */
    public boolean admits(Call call, long change) {
        if (!call.request().method().equals(Methods.TOOLS_CALL)) {
            return true;
        }
        if (isFiltered && !filter.admits(name(call))) {
            return false;
        }
        return !isStrict || isListed(call, tools, change);
    }

    /** Where nobody can say what is listed nothing is. */
    private static boolean isListed(Call call, @Nullable KnownTools known, long change) {
        return known != null
                && known.isCurrent(call.caller(), change)
                && known.find(call.caller(), name(call)).isPresent();
    }

    /**
     * Refuses a call that was not admitted, or asks the server for its tools before.
     *
     * @param place what the call keeps until it goes on or ends
     * @param again sends it anew
     */
    public void settle(Arrival arrival, CallQueue.Place place, Runnable again) {
        var call = arrival.call();
        var asked = new Asked(arrival.reply(), place);
        var known = tools;
        if (admits(call, arrival.change())) {
            // The list has come meanwhile.
            asked.goOn(again);
            return;
        }
        if (known == null || !filter.admits(name(call)) || known.isCurrent(call.caller(), arrival.change())) {
            asked.fail(refusal(call));
            return;
        }
        var link = call.cancellation().onCancel(reason -> asked.fail(withdrawn(call, reason)));
        asked.end.releasing(link::remove);
        known.refresh(
                call.caller(),
                arrival.change(),
                failure -> failure.ifPresentOrElse(
                        why -> asked.fail(why.withDelivery(Delivery.NOT_SENT)), () -> asked.goOn(again)));
    }

    /**
     * Why the call must not be sent to a process that lists {@code listed}: what is known of the tool was approved in
     * another one.
     */
    public Optional<Failure> unlike(Call call, Map<String, ToolDefinition> listed) {
        var known = tools;
        var name = name(call);
        if (!isStrict
                || known == null
                || known.find(call.caller(), name).equals(Optional.ofNullable(listed.get(name)))) {
            return Optional.empty();
        }
        known.learn(call.caller(), () -> {}, failure -> {});
        var words = "the process of server '%s' that was started for this call lists the tool '%s' otherwise than the"
                + " session in which it was approved; if the server was changed, connect it again and approve what it"
                + " lists";
        return Optional.of(Failure.of(ErrorCode.TOOL_NOT_ADMITTED, words.formatted(server, name))
                .withServer(server));
    }

    /** Whether processes are asked for their tools before they have a call. */
    public boolean isStrict() {
        return isStrict;
    }

    private static String name(Call call) {
        return call.request().text(Part.NAME).orElse("");
    }

    private Failure refusal(Call call) {
        var tool = name(call);
        return catalog.findings().stream()
                .filter(finding -> finding.isWithheld() && finding.isOf(server, tool))
                .findFirst()
                .map(this::quarantined)
                .orElseGet(() -> unlisted(call.exposedName().orElse(tool)));
    }

    private Failure quarantined(ToolFinding finding) {
        var words =
                "the tool '%s' of server '%s' is quarantined: %s; an operator sees more by 'mcp-bridge lock --diff'";
        return Failure.of(ErrorCode.TOOL_NOT_ADMITTED, words.formatted(finding.shownTool(), server, finding.reason()))
                .withServer(server);
    }

    private Failure unlisted(String tool) {
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: %s".formatted(tool))
                .withServer(server);
    }

    private Failure withdrawn(Call call, CancelReason reason) {
        var words = "the call of '%s' waited for the tools of server '%s' and was withdrawn: %s";
        return Failure.of(reason.code(), words.formatted(name(call), server, reason.text()))
                .withServer(server);
    }

    /**
     * A call as it came.
     *
     * @param change the last change of the tools that the server had told by then
     */
    public record Arrival(Call call, Reply reply, long change) {}

    /** A call that waits for the tools of its server; it goes on or ends once. */
    private static final class Asked {
        private final Reply reply;
        private final CallQueue.Place place;
        private final SingleEnd end = new SingleEnd();

        private Asked(Reply reply, CallQueue.Place place) {
            this.reply = reply;
            this.place = place;
        }

        private void goOn(Runnable again) {
            if (end.end()) {
                place.leave();
                again.run();
            }
        }

        private void fail(Failure why) {
            if (end.end()) {
                place.leave();
                reply.done(Outcome.failed(why));
            }
        }
    }
}
