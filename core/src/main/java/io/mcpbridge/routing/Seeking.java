package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One look for a tool that its server has not listed: the server may have it by now. Where the server does not say in
 * time what it has, the call goes on, and the server decides. Any thread; nothing here waits.
 */
final class Seeking implements UpstreamList.Listed<ToolDefinition> {
    private final Call call;
    private final Wanted wanted;
    private final Failure unknown;
    private final Ends ends;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Runnable leaving = () -> {};
    private volatile Timekeeper.Alarm alarm = () -> {};
    private volatile Cancellation.Registration link = () -> {};

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
    }

    /** Hears once how it ends. */
    interface Ends {

        void goOn();

        void refused(Failure why);
    }

    /** @param unknown what the call ends with where there is no such tool */
    Seeking(Call call, Wanted wanted, Failure unknown, Ends ends) {
        this.call = call;
        this.wanted = wanted;
        this.unknown = unknown;
        this.ends = ends;
    }

    void begin(Timekeeper timekeeper) {
        wanted.tools().seek(call.caller(), this);
        if (isOver.get()) {
            return;
        }
        leaving = wanted.upstream().listSource().enterQueue(this::refuse);
        alarm = timekeeper.schedule(Merging.PATIENCE, this::goOn);
        link = call.cancellation().onCancel(this::withdrawn);
        if (isOver.get()) {
            release();
        }
    }

    @Override
    public void items(List<ToolDefinition> items) {
        if (isListed(items) || decidesLater()) {
            goOn();
        } else {
            refuse(unknown);
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
        if (end()) {
            ends.goOn();
        }
    }

    private void refuse(Failure why) {
        if (end()) {
            ends.refused(why);
        }
    }

    private void withdrawn(CancelReason reason) {
        var server = wanted.upstream().name();
        var words = "the call of '%s' waited for the tools of server '%s' and was withdrawn: %s";
        refuse(Failure.of(reason.code(), words.formatted(wanted.name(), server, reason.text()))
                .withServer(server));
    }

    private boolean end() {
        if (!isOver.compareAndSet(false, true)) {
            return false;
        }
        release();
        return true;
    }

    private void release() {
        leaving.run();
        alarm.cancel();
        link.remove();
    }
}
