package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.SingleEnd;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One look for a tool that its server has not listed: the server may have it by now. Where the server does not say in
 * time what it has, the call goes on, and the server decides. Any thread; nothing here waits.
 */
final class Seeking implements UpstreamList.Listed<ToolDefinition> {
    private final Call call;
    private final Wanted wanted;
    private final Supplier<Failure> unknown;
    private final Ends ends;
    private final SingleEnd end = new SingleEnd();

    /**
     * What is looked for.
     *
     * @param name its name at the server
     */
    record Wanted(Upstream upstream, UpstreamList<ToolDefinition> tools, String name) {

        /** Whether it is not known already. */
        boolean isUnlisted(Call call) {
            return tools.find(call.caller(), name).isEmpty();
        }

        /** Why nobody can use it though its server lists it; empty where that is not so. */
        Optional<String> whyLeftOut(Call call) {
            return tools.whyLeftOut(call.caller(), name);
        }
    }

    /** Hears once how it ends. */
    interface Ends {

        void goOn();

        void refused(Failure why);
    }

    /** @param unknown what the call ends with where there is no such tool */
    Seeking(Call call, Wanted wanted, Supplier<Failure> unknown, Ends ends) {
        this.call = call;
        this.wanted = wanted;
        this.unknown = unknown;
        this.ends = ends;
    }

    /** What the call of a tool ends with that is not there, or is there in a way that nobody can use. */
    static Failure unknown(Call call, String exposed, Wanted wanted) {
        var server = wanted.upstream().name();
        var why = wanted.whyLeftOut(call)
                .map(words -> "; server '%s' lists it, but nobody can use it: %s".formatted(server, words))
                .orElse("");
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: %s%s".formatted(exposed, why));
    }

    void begin(Timekeeper timekeeper) {
        wanted.tools().seek(call.caller(), this);
        if (end.isOver()) {
            return;
        }
        var leaving = wanted.upstream().listSource().enterQueue(this::refuse);
        var alarm = timekeeper.schedule(Merging.PATIENCE, this::goOn);
        var link = call.cancellation().onCancel(this::withdrawn);
        end.releasing(() -> {
            leaving.run();
            alarm.cancel();
            link.remove();
        });
    }

    @Override
    public void items(List<ToolDefinition> items) {
        if (isListed(items) || (decidesLater() && wanted.whyLeftOut(call).isEmpty())) {
            goOn();
        } else {
            refuse(unknown.get());
        }
    }

    private boolean isListed(List<ToolDefinition> items) {
        return items.stream().anyMatch(tool -> tool.name().equals(wanted.name()));
    }

    /** A catalog that takes some tools alone says why it does not take this one, when the call is about to be sent. */
    private boolean decidesLater() {
        return wanted.upstream().listSource().catalog().isStrict();
    }

    @Override
    public void failed(Failure why) {
        goOn();
    }

    private void goOn() {
        if (end.end()) {
            ends.goOn();
        }
    }

    private void refuse(Failure why) {
        if (end.end()) {
            ends.refused(why);
        }
    }

    private void withdrawn(CancelReason reason) {
        var server = wanted.upstream().name();
        var words = "the call of '%s' waited for the tools of server '%s' and was withdrawn: %s";
        refuse(Failure.of(reason.code(), words.formatted(wanted.name(), server, reason.text()))
                .withServer(server));
    }
}
