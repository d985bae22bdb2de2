package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.NameFilter;
import io.mcpbridge.engine.upstream.connection.CallQueueLimit.QueuedCall;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalog.ToolFinding;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Rejects calls of tools that the configuration denies or that a strict catalog does not approve. Runs when a call is
 * about to be sent over a connection, since the server may have listed other tools over another one. Any thread;
 * nothing here waits.
 */
public final class ToolCallCheck {
    private final String server;
    private final ToolCatalog catalog;
    private final boolean isStrict;
    private final NameFilter filter;
    private final boolean isFiltered;
    private final KnownTools tools;

    /**
     * Admits calls to one server.
     *
     * @param filter which tools the configuration lets through
     * @param tools what is known of the server's tools
     */
    public ToolCallCheck(String server, ToolCatalog catalog, NameFilter filter, KnownTools tools) {
        this.server = server;
        this.catalog = catalog;
        this.isStrict = catalog.isStrict();
        this.filter = filter;
        this.isFiltered = !filter.allow().isEmpty() || !filter.deny().isEmpty();
        this.tools = tools;
    }

    /**
     * The last change of the tools that the server reported before {@code call} came, which need not wait for later
     * ones.
     */
    public long lastChange(Call call) {
        return isToolCall(call) && isStrict ? tools.lastChange(call.caller()) : 0;
    }

    /**
     * Whether the call may be sent as far as that is known now.
     *
     * @param change what {@link #lastChange} was when the call came
     */
    public boolean admits(Call call, long change) {
        if (!isToolCall(call)) {
            return true;
        }
        if (isFiltered && !filter.admits(name(call))) {
            return false;
        }
        return !isStrict
                || (tools.isCurrent(call.caller(), change)
                        && tools.find(call.caller(), name(call)).isPresent());
    }

    /**
     * Rejects a call that was not admitted, or lists the tools of the server before that.
     *
     * @param place what the call keeps meanwhile
     * @param again sends it anew
     */
    public void listOrReject(Arrival arrival, CallQueueLimit.Place place, Runnable again) {
        var call = arrival.call();
        var queued = new QueuedCall(server, call, arrival.reply(), place);
        if (admits(call, arrival.change())) {
            // The list has come meanwhile.
            queued.resume(again);
            return;
        }
        if (!filter.admits(name(call)) || tools.isCurrent(call.caller(), arrival.change())) {
            queued.fail(rejection(call));
            return;
        }
        queued.watch(() -> {}, reason -> withdrawn(call, reason));
        tools.refresh(
                call.causer(),
                arrival.change(),
                failure -> failure.ifPresentOrElse(
                        why -> queued.fail(why.withDelivery(Delivery.NOT_SENT)), () -> queued.resume(again)));
    }

    /**
     * Returns why the call must not be sent to a process that lists {@code listed}; its tool may differ from the
     * approved definition of another process.
     */
    public Optional<Failure> unlike(Call call, Map<String, ToolDefinition> listed) {
        var name = name(call);
        if (!isStrict || tools.find(call.caller(), name).equals(Optional.ofNullable(listed.get(name)))) {
            return Optional.empty();
        }
        tools.learn(call.causer(), () -> {}, failure -> {});
        var words = "the process of server '%s' that was started for this call lists the tool '%s' otherwise than the"
                + " session in which it was approved; if the server was changed, connect it again and approve what it"
                + " lists";
        return Optional.of(Failure.of(ErrorCode.TOOL_NOT_ADMITTED, words.formatted(server, name)));
    }

    /** Whether the catalog is strict, so that processes are asked for their tools before they have a call. */
    public boolean isStrict() {
        return isStrict;
    }

    /** Whether the call may call the tool that it names; a method outside of the specification may, too. */
    private static boolean isToolCall(Call call) {
        var request = call.request();
        return request.method().equals(Methods.TOOLS_CALL)
                || (!Methods.isKnown(request.method()) && request.has(MessageField.NAME));
    }

    private static String name(Call call) {
        return call.request().text(MessageField.NAME).orElse("");
    }

    private Failure rejection(Call call) {
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
        return Failure.of(ErrorCode.TOOL_NOT_ADMITTED, words.formatted(finding.shownTool(), server, finding.reason()));
    }

    private Failure unlisted(String tool) {
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: %s".formatted(tool));
    }

    private Failure withdrawn(Call call, CancelReason reason) {
        var words = "the call of '%s' waited for the tools of server '%s' and was withdrawn: %s";
        return Failure.of(reason.code(), words.formatted(name(call), server, reason.text()));
    }

    /**
     * A call as it arrived.
     *
     * @param change the last change of the tools that the server had reported by then
     */
    public record Arrival(Call call, Reply reply, long change) {}

    /** The known tools of a server, with the schemas for calling them. Any thread; nothing here waits. */
    public interface KnownTools {

        /** A tool as it is known to {@code caller}, without asking the server. */
        Optional<ToolDefinition> find(Caller caller, String tool);

        /** Lists the tools anew, and runs {@code then} after that. */
        void learn(Caller caller, Runnable then, Consumer<Failure> failed);

        /** The number of the last change of the tools that the server reported; it grows with each. */
        long lastChange(Caller caller);

        /**
         * Whether the server has listed them over the connections that are open now, and since its change {@code
         * change}.
         */
        boolean isCurrent(Caller caller, long change);

        /**
         * Lists the tools unless what is known is current, and runs {@code then}. A listing that was under way counts,
         * so the caller of this method looks again.
         */
        void refresh(Caller caller, long change, Consumer<Optional<Failure>> then);
    }
}
