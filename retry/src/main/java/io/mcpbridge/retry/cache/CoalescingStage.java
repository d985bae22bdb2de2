package io.mcpbridge.retry.cache;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
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
    private final Map<String, SharedCall> shared = new ConcurrentHashMap<>();
    private final LongAdder joined = new LongAdder();

    public CoalescingStage(CoalescingSettings settings, StageContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        if (!onlyReads(call) || !Sharing.isWhole(call.request())) {
            next.handle(call, reply);
            return;
        }
        share(key(call), call, reply, next);
    }

    @Override
    public List<Reading> readings() {
        return List.of(
                new Reading("coalescing.under-way", shared.size(), "calls that others may join"),
                new Reading("coalescing.joined", joined.sum(), "calls that needed none of their own"));
    }

    private void share(String key, Call call, Reply reply, Handler next) {
        while (true) {
            var fresh = new SharedCall(next, settings.maxCalls(), () -> shared.remove(key));
            var there = shared.putIfAbsent(key, fresh);
            if (there == null) {
                fresh.join(call, reply);
                fresh.begin(call);
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
                case OVER -> shared.remove(key, there);
            }
        }
    }

    private boolean onlyReads(Call call) {
        var method = call.request().method();
        return method.equals(Methods.TOOLS_CALL)
                ? context.hints(call).readOnly()
                : Methods.onlyReads(method) && !method.equals(Methods.PING);
    }

    /** Whoever wants to hear of progress can only join a call that asked for it. */
    private String key(Call call) {
        var progress = call.request().has(Part.PROGRESS_TOKEN) ? "progress\n" : "\n";
        return Sharing.of(call) + progress + context.digest(call);
    }
}
