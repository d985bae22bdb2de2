package io.mcpbridge.retry.runonce;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.retry.runonce.KeyedCalls.KeyedCall;
import io.mcpbridge.retry.sharing.SharedCall;
import io.mcpbridge.retry.sharing.SharedCall.JoinResult;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.StageContext;
import java.util.List;
import java.util.Optional;

/**
 * Runs tool calls with the same idempotency key once. A repeated call joins the first one while it runs, and receives
 * the same outcome after its end. Calls without a key pass. Any thread.
 */
public final class RunOnceStage implements CallStage {
    private static final int LONGEST_KEY = 256;

    private final KeyedCalls table;
    private final RunOnceSettings settings;
    private final StageContext context;

    /** Creates the stage with an empty table. */
    public RunOnceStage(RunOnceSettings settings, StageContext context) {
        this.table = new KeyedCalls(settings, context.environment().timekeeper());
        this.settings = settings;
        this.context = context;
    }

    @Override
    public void handle(CallContext call, Next next) {
        var request = call.request();
        if (!request.has(MessageField.IDEMPOTENCY_KEY)
                || !request.method().equals(Methods.TOOLS_CALL)
                || call.cancellation().isCancelled()) {
            next.handle(call);
            return;
        }
        var key = request.text(MessageField.IDEMPOTENCY_KEY).orElse("");
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            refuse(call, ErrorCode.INVALID_PARAMS, notAKey(request));
            return;
        }
        if (request.text(MessageField.IDEMPOTENCY_INSTANCE)
                .filter(known -> !known.equals(context.instance()))
                .isPresent()) {
            refuseUnknown(call, key);
            return;
        }
        run(KeyedCalls.Id.of(call, key), call, next);
    }

    @Override
    public List<GaugeReading> readings() {
        return table.readings();
    }

    private void run(KeyedCalls.Id id, CallContext call, Next next) {
        var asked = context.digest(call);
        var timekeeper = context.environment().timekeeper();
        var fresh = new KeyedCall(id, asked, new SharedCall(call, settings.gracePeriod(), timekeeper));
        var known = table.enter(fresh);
        if (known.isEmpty()) {
            var words = "%d calls with a key in '%s' run already, which is the limit per principal";
            refuse(call, ErrorCode.OVERLOADED, words.formatted(settings.running(), MetaKeys.IDEMPOTENCY_KEY));
            return;
        }
        var keyed = known.get();
        if (!keyed.digest().equals(asked)) {
            var words = "the key '%s' in '%s' belongs to another call; take a new key for each call";
            refuse(call, ErrorCode.INVALID_PARAMS, words.formatted(id.key(), MetaKeys.IDEMPOTENCY_KEY));
            return;
        }
        if (keyed.run() == fresh.run()) {
            keyed.run().begin(next, (callers, outcome) -> {
                table.ended(keyed, outcome);
                callers.forEach(caller -> caller.complete(outcome));
            });
        } else if (keyed.run().join(call, Integer.MAX_VALUE) == JoinResult.ENDED) {
            keyed.run().outcome().ifPresent(call::complete);
        }
    }

    private static void refuseUnknown(CallContext call, String key) {
        var words =
                "the bridge was restarted since the call with the key '%s' was sent, so it does not know whether the"
                        + " call has run; it is not repeated";
        call.complete(Outcome.failed(
                Failure.of(ErrorCode.IN_DOUBT, words.formatted(key)).withDelivery(Delivery.UNKNOWN)));
    }

    private static String notAKey(Request request) {
        var raw = request.raw(MessageField.IDEMPOTENCY_KEY).orElse("");
        var shown = raw.length() > LONGEST_KEY ? raw.substring(0, LONGEST_KEY) + "..." : raw;
        return "'%s' is %s but must be a text of 1 to %d characters, such as a UUID"
                .formatted(MetaKeys.IDEMPOTENCY_KEY, shown, LONGEST_KEY);
    }

    private static void refuse(CallContext call, ErrorCode code, String words) {
        call.complete(Outcome.failed(Failure.of(code, words)));
    }

    /** Provides {@code repeats}, which every daemon has unless its configuration says {@code none}. */
    public static final class RunOnceProvider implements CallStageProvider {

        @Override
        public Id id() {
            return new Id("repeats", SPI_VERSION);
        }

        @Override
        public Place place() {
            return Place.RUN_ONCE;
        }

        @Override
        public Optional<CallStage> create(StageContext context) {
            return Optional.of(new RunOnceStage(RunOnceSettings.from(context.settings()), context));
        }
    }
}
