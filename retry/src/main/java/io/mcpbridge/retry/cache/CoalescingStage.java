package io.mcpbridge.retry.cache;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.StageContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Makes one call of those of one user that read the same at the same time. Whatever changes something, or is not known
 * not to, goes its own way. Any thread.
 */
public final class CoalescingStage implements CallStage {
    private final CoalescingSettings settings;
    private final StageContext context;
    private final Map<Inquiry, SharedCall> shared = new ConcurrentHashMap<>();
    private final LongAdder joined = new LongAdder();

    public CoalescingStage(CoalescingSettings settings, StageContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        if (!onlyReads(call) || !Sharing.isWhole(call.request()) || mayBeAsked(call.caller())) {
            next.handle(call, reply);
            return;
        }
        new Place(Inquiry.withEvents(call, context.digest(call)), next).again(call, reply);
    }

    @Override
    public List<Reading> readings() {
        return List.of(
                new Reading(
                        "coalescing.under-way",
                        shared.size(),
                        "%d calls that others may join".formatted(shared.size())),
                new Reading(
                        "coalescing.joined",
                        joined.sum(),
                        "%d calls that needed none of their own".formatted(joined.sum())));
    }

    /**
     * Whether the server may ask this client in the middle of the call, as those of the legacy era do: what a person
     * answers there is that person's business, and so is what comes of it.
     */
    private boolean mayBeAsked(Caller caller) {
        return caller.canBeAsked()
                && !caller.capabilities().equals("{}")
                && context.era().filter(Era.MODERN::equals).isEmpty();
    }

    private boolean onlyReads(Call call) {
        var method = call.request().method();
        return method.equals(Methods.TOOLS_CALL)
                ? context.hints(call).readOnly()
                : Methods.onlyReads(method) && !method.equals(Methods.PING);
    }

    /** Where those meet that ask the same. */
    private final class Place implements SharedCall.Group {
        private final Inquiry inquiry;
        private final Handler next;

        private Place(Inquiry inquiry, Handler next) {
            this.inquiry = inquiry;
            this.next = next;
        }

        @Override
        public void over(SharedCall call) {
            // There may be a successor already, whom others are joining.
            shared.remove(inquiry, call);
        }

        @Override
        public void again(Call call, Reply reply) {
            while (true) {
                var fresh = new SharedCall(this, next, settings.maxCalls(), call, reply);
                var there = shared.putIfAbsent(inquiry, fresh);
                if (there == null) {
                    fresh.begin();
                    return;
                }
                switch (there.join(call, reply)) {
                    case JOINED -> {
                        joined.increment();
                        return;
                    }
                    case FULL -> {
                        next.handle(call, reply);
                        return;
                    }
                    case OVER -> shared.remove(inquiry, there);
                }
            }
        }

        @Override
        public void defect(Call call, RuntimeException bug) {
            var words = "[mcp-bridge] shared call " + call.correlationId() + " met a defect";
            context.environment().logger().log(System.Logger.Level.ERROR, words, bug);
        }
    }
}
