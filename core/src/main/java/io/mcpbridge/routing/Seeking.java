package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.routing.NameOwners.Hearer;
import io.mcpbridge.routing.NameOwners.Target;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One look for a tool that its server has not listed: the server may have it by now. Where the server does not say in
 * time what it has, the call goes on, and the server decides. Any thread; nothing here waits.
 */
final class Seeking implements UpstreamList.Listed<ToolDefinition> {
    private final Call call;
    private final Target target;
    private final Hearer hearer;
    private final Failure unknown;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Runnable leaving = () -> {};
    private volatile Timekeeper.Alarm alarm = () -> {};
    private volatile Cancellation.Registration link = () -> {};

    /** @param unknown what the call ends with where there is no such tool */
    Seeking(Call call, Target target, Hearer hearer, Failure unknown) {
        this.call = call;
        this.target = target;
        this.hearer = hearer;
        this.unknown = unknown;
    }

    /** Whether there is something to look for. */
    static boolean isWanted(Call call, Target target) {
        return target.route().tools().find(call.caller(), target.name()).isEmpty();
    }

    void begin(Timekeeper timekeeper) {
        target.route().tools().seek(call.caller(), this);
        if (isOver.get()) {
            return;
        }
        leaving = target.route().upstream().listSource().enterQueue(this::refuse);
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

    private void refuse(Failure why) {
        if (end()) {
            hearer.unknown(why);
        }
    }

    private boolean isListed(List<ToolDefinition> items) {
        return items.stream().anyMatch(tool -> tool.name().equals(target.name()));
    }

    /** A catalog that takes some tools alone says why it does not take this one, when the call is about to be sent. */
    private boolean decidesLater() {
        return target.route().upstream().listSource().catalog().isStrict();
    }

    @Override
    public void failed(Failure why) {
        goOn();
    }

    private void goOn() {
        if (end()) {
            hearer.found(target);
        }
    }

    private void withdrawn(CancelReason reason) {
        var server = target.route().server();
        var words = "the call of '%s' waited for the tools of server '%s' and was withdrawn: %s";
        refuse(Failure.of(reason.code(), words.formatted(target.name(), server, reason.text()))
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
