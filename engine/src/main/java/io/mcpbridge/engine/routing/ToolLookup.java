package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallWait;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.engine.upstream.lists.UpstreamList;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.spi.StageContext.ToolListener;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks a server again for its tools because a call names one that it has not listed. If the server does not list in time,
 * the call proceeds and the server decides. Any thread may use it; nothing here waits.
 */
public final class ToolLookup implements UpstreamList.Callback<ToolDefinition> {
    private final Call call;
    private final Wanted wanted;
    private final Supplier<Failure> unknown;
    private final Runnable proceed;
    private final Consumer<Failure> refused;
    private final CallWait end = new CallWait();

    /**
     * A tool at its server.
     *
     * @param name its name at the server
     */
    record Wanted(Upstream upstream, String name) {

        private UpstreamList<ToolDefinition> tools() {
            return upstream.lists().tools();
        }

        /** Whether the tool is not known yet. */
        boolean isUnlisted(Call call) {
            return tools().find(call.caller(), name).isEmpty();
        }

        /** Why the tool cannot be used though its server lists it; empty if that is not so. */
        Optional<String> whyRejected(Call call) {
            return tools().of(call.caller()).whyRejected(name);
        }
    }

    /**
     * Makes a lookup that ends with one of {@code proceed} and {@code refused}.
     *
     * @param unknown the failure of the call if there is no such tool
     */
    ToolLookup(Call call, Wanted wanted, Supplier<Failure> unknown, Runnable proceed, Consumer<Failure> refused) {
        this.call = call;
        this.wanted = wanted;
        this.unknown = unknown;
        this.proceed = proceed;
        this.refused = refused;
    }

    /** The failure of a call of a tool that is not listed or not usable. */
    static Failure unknown(Call call, String exposed, Wanted wanted) {
        var server = wanted.upstream().name();
        var why = wanted.whyRejected(call)
                .map(words -> "; server '%s' lists it, but it is not usable: %s".formatted(server, words))
                .orElse("");
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: %s%s".formatted(exposed, why));
    }

    /** Finds the tool that a call of one server names, and looks for it there if it is not listed. */
    public static BiConsumer<Call, ToolListener> ofCalls(Upstream upstream) {
        return (call, hearer) -> {
            var name = call.request().text(MessageField.NAME).orElse("");
            var wanted = new Wanted(upstream, name);
            Runnable known =
                    () -> wanted.tools().find(call.caller(), name).ifPresentOrElse(hearer::found, hearer::undecided);
            if (!wanted.isUnlisted(call)) {
                known.run();
                return;
            }
            var exposed = call.exposedName().orElse(name);
            new ToolLookup(
                            call,
                            wanted,
                            () -> unknown(call, exposed, wanted).withServer(upstream.name()),
                            known,
                            hearer::refused)
                    .begin();
        };
    }

    void begin() {
        wanted.tools().listForLookup(call.caller(), this);
        if (end.isOver()) {
            return;
        }
        var leaving = wanted.upstream().enterQueue(this::refuse);
        var timekeeper = wanted.upstream().parts().environment().timekeeper();
        var alarm = timekeeper.schedule(ListAggregator.MAX_WAIT, this::proceed);
        var link = call.cancellation().onCancel(this::withdrawn);
        end.releasing(() -> {
            leaving.run();
            alarm.cancel();
            link.remove();
        });
    }

    @Override
    public void listed(List<ToolDefinition> items) {
        if (isListed(items) || (decidesLater() && wanted.whyRejected(call).isEmpty())) {
            proceed();
        } else {
            refuse(unknown.get());
        }
    }

    private boolean isListed(List<ToolDefinition> items) {
        return items.stream().anyMatch(tool -> tool.name().equals(wanted.name()));
    }

    /** A strict catalog gives its reason when the call is about to be sent. */
    private boolean decidesLater() {
        return wanted.upstream().isStrict();
    }

    @Override
    public void failed(Failure why) {
        proceed();
    }

    private void proceed() {
        if (end.end()) {
            proceed.run();
        }
    }

    private void refuse(Failure why) {
        if (end.end()) {
            refused.accept(why);
        }
    }

    private void withdrawn(CancelReason reason) {
        var server = wanted.upstream().name();
        var words = "the call of '%s' waited for the tools of server '%s' and was withdrawn: %s";
        refuse(Failure.of(reason.code(), words.formatted(wanted.name(), server, reason.text()))
                .withServer(server));
    }
}
