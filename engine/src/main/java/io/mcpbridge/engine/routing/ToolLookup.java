package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.OneShotEnd;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.engine.upstream.lists.ListsByCaller;
import io.mcpbridge.failure.Delivery;
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
 * Requests the tools of a server again because a call names an unlisted one. Any thread may use it; nothing here waits.
 */
public final class ToolLookup implements ListsByCaller.Callback<ToolDefinition> {
    private final Call call;
    private final Wanted wanted;
    private final Supplier<Failure> unknown;
    private final Runnable proceed;
    private final Consumer<Failure> unlisted;
    private final Consumer<Failure> refused;
    private final OneShotEnd end = new OneShotEnd();

    /**
     * A tool at its server.
     *
     * @param name its name at the server
     */
    record Wanted(Upstream upstream, String name) {

        private ListsByCaller<ToolDefinition> tools() {
            return upstream.lists().tools();
        }

        /** Whether no list has the tool yet. */
        boolean isUnlisted(Call call) {
            return tools().find(call.caller(), name).isEmpty();
        }

        /** Whether the catalog withholds the tool. */
        boolean isWithheld() {
            return upstream.parts().catalog().findings().stream()
                    .anyMatch(finding -> finding.isWithheld() && finding.isOf(upstream.name(), name));
        }

        /** Returns why a listed tool is rejected; empty if it is not. */
        Optional<String> whyRejected(Call call) {
            return tools().of(call.caller()).whyRejected(name);
        }
    }

    /**
     * Creates a lookup that calls one of {@code proceed}, {@code unlisted} and {@code refused}, once.
     *
     * @param unknown the failure of the call if the tool does not exist
     * @param unlisted receives the failure of the list if the server does not list, or not in time
     */
    ToolLookup(
            Call call,
            Wanted wanted,
            Supplier<Failure> unknown,
            Runnable proceed,
            Consumer<Failure> unlisted,
            Consumer<Failure> refused) {
        this.call = call;
        this.wanted = wanted;
        this.unknown = unknown;
        this.proceed = proceed;
        this.unlisted = unlisted;
        this.refused = refused;
    }

    /** Returns the failure of a call of an unlisted or rejected tool. */
    static Failure unknown(Call call, String exposed, Wanted wanted) {
        var server = wanted.upstream().name();
        var why = wanted.whyRejected(call)
                .map(words -> "; server '%s' lists it, but it is not usable: %s".formatted(server, words))
                .orElse("");
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: %s%s".formatted(exposed, why));
    }

    /**
     * Returns a function that finds the tool a call names; requests the tools of the server again if the tool is not
     * listed. If the server does not list, the call is {@linkplain PipelineCall#isUnchecked unchecked} and proceeds; an
     * attempt of such a call fails.
     */
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
                            why -> {
                                if (call instanceof PipelineCall own && !own.isUnchecked()) {
                                    own.markUnchecked();
                                    hearer.undecided();
                                } else {
                                    hearer.refused(unlisted(upstream.name(), why));
                                }
                            },
                            hearer::refused)
                    .begin();
        };
    }

    private static Failure unlisted(String server, Failure why) {
        var words =
                "the call was not sent, since server '%s' cannot list its tools: %s".formatted(server, why.message());
        return why.withMessage(words).withDelivery(Delivery.NOT_SENT).withServer(server);
    }

    void begin() {
        wanted.tools().listForLookup(call.causer(), this);
        if (end.isOver()) {
            return;
        }
        var leaving = wanted.upstream().enterQueue(this::refuse);
        var timekeeper = wanted.upstream().parts().environment().timekeeper();
        var alarm = timekeeper.schedule(ListAggregator.MAX_WAIT, this::late);
        var link = call.cancellation().onCancel(this::withdrawn);
        end.releasing(() -> {
            leaving.run();
            alarm.cancel();
            link.remove();
        });
    }

    @Override
    public void listed(List<ToolDefinition> items) {
        // A strict catalog rejects the call with its reason when the call is about to be sent.
        if (isListed(items)
                || (wanted.upstream().isStrict() && wanted.whyRejected(call).isEmpty())) {
            proceed();
        } else {
            refuse(unknown.get());
        }
    }

    private boolean isListed(List<ToolDefinition> items) {
        return items.stream().anyMatch(tool -> tool.name().equals(wanted.name()));
    }

    @Override
    public void failed(Failure why) {
        if (end.end()) {
            unlisted.accept(why);
        }
    }

    private void late() {
        failed(Failure.of(
                ErrorCode.PROVIDER_TIMEOUT, "no list came within %d s".formatted(ListAggregator.MAX_WAIT.toSeconds())));
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
        var words = reason == CancelReason.TIMED_OUT
                ? "server '%s' has not ended its handshake or not listed its tools within %d ms, so '%s' was not called; check that it is an MCP server and answers, or raise the time-out"
                        .formatted(server, call.deadline().span().toMillis(), wanted.name())
                : "the call of '%s' waited for the tools of server '%s' and was withdrawn: %s"
                        .formatted(wanted.name(), server, reason.text());
        refuse(Failure.of(reason.code(), words).withServer(server));
    }
}
