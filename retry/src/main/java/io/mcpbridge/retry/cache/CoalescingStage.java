package io.mcpbridge.retry.cache;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.retry.sharing.SharedCall;
import io.mcpbridge.retry.sharing.SharedCall.JoinResult;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.StageContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Combines concurrent calls of one user with equal read-only requests into one call to the server. Other calls pass
 * unchanged. Any thread may use it.
 */
public final class CoalescingStage implements CallStage {
    private final CoalescingSettings settings;
    private final StageContext context;
    private final Map<SharingKey, SharedCall> open = new ConcurrentHashMap<>();
    private final LongAdder joined = new LongAdder();
    private final Timekeeper timekeeper;

    public CoalescingStage(CoalescingSettings settings, StageContext context) {
        this.settings = settings;
        this.context = context;
        this.timekeeper = context.environment().timekeeper();
    }

    @Override
    public void handle(CallContext call, Next next) {
        if (!onlyReads(call) || !SharingKey.isShareable(call.request()) || mayReceiveRequests(call.caller())) {
            next.handle(call);
            return;
        }
        new EqualCalls(SharingKey.withEvents(call, context.digest(call)), next).handleAgain(call);
    }

    @Override
    public List<GaugeReading> readings() {
        return List.of(
                new GaugeReading(
                        "coalescing.under-way", open.size(), "%d calls that others may join".formatted(open.size())),
                new GaugeReading(
                        "coalescing.joined", joined.sum(), "%d calls that joined another one".formatted(joined.sum())));
    }

    /**
     * Whether the server may send this client requests during the call, as in the legacy era. The answers of one user
     * then decide the result, which other users must not receive.
     */
    private boolean mayReceiveRequests(Caller caller) {
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

    /** The calls with one key. */
    private final class EqualCalls {
        private final SharingKey key;
        private final Next next;

        private EqualCalls(SharingKey key, Next next) {
            this.key = key;
            this.next = next;
        }

        /** Handles a call without an outcome again; it joins an equal call or becomes the first. */
        private void handleAgain(CallContext call) {
            while (true) {
                var fresh = new SharedCall(call, Duration.ZERO, timekeeper);
                var there = open.putIfAbsent(key, fresh);
                if (there == null) {
                    fresh.begin(next, (callers, outcome) -> {
                        // Removes only this instance, since a successor may exist already.
                        open.remove(key, fresh);
                        ended(call, callers, outcome);
                    });
                    return;
                }
                switch (there.isCancelled() ? JoinResult.ENDED : there.join(call, settings.maxCalls())) {
                    case JOINED -> {
                        joined.increment();
                        return;
                    }
                    case FULL -> {
                        next.handle(call);
                        return;
                    }
                    case ENDED -> open.remove(key, there);
                }
            }
        }

        private void ended(CallContext first, List<CallContext> callers, Outcome outcome) {
            if (outcome instanceof Outcome.Answered answered) {
                answered(answered, callers);
                return;
            }
            var code = ((Outcome.Failed) outcome).failure().code();
            var isForAll = code != ErrorCode.PROVIDER_TIMEOUT && code != ErrorCode.CANCELLED;
            var all = new ArrayList<>(callers);
            // The first call to be repeated leads the others, so it should have the most time left.
            all.stream()
                    .max(Comparator.comparing(caller -> caller.deadline().remaining()))
                    .ifPresent(latest -> Collections.swap(all, 0, all.indexOf(latest)));
            for (var caller : all) {
                if (isForAll || caller == first || isExpired(caller)) {
                    caller.complete(outcome);
                } else {
                    handleAgain(caller);
                }
            }
        }

        private void answered(Outcome.Answered outcome, List<CallContext> callers) {
            var isForAll = outcome.response().isError() || SharingKey.isShareable(outcome.response());
            for (var caller : callers) {
                if (isForAll || caller == callers.get(0)) {
                    caller.complete(outcome);
                } else {
                    // The server requires input from the client, so each caller needs its own call.
                    next.handle(caller);
                }
            }
        }

        /** Whether a call itself has expired; a deadline or cancellation of another caller does not end it. */
        private static boolean isExpired(CallContext call) {
            return call.cancellation().isCancelled() || call.deadline().isExpired();
        }
    }

    /** Provides {@code coalescing}, for servers whose configuration has such a section. */
    public static final class CoalescingProvider implements CallStageProvider {

        @Override
        public Id id() {
            return new Id("coalescing", SPI_VERSION);
        }

        @Override
        public Place place() {
            return Place.COALESCING;
        }

        @Override
        public Optional<CallStage> create(StageContext context) {
            return context.isConfigured()
                    ? Optional.of(new CoalescingStage(CoalescingSettings.from(context.settings()), context))
                    : Optional.empty();
        }
    }
}
