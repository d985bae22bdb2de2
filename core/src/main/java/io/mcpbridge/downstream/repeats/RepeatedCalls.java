package io.mcpbridge.downstream.repeats;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.EnvelopeKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Reading;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Runs calls of tools that have one key once: whoever repeats a call joins it while it runs, and gets the same outcome
 * when it has ended. Calls without a key pass. Any thread; stands within the overall deadline.
 */
public final class RepeatedCalls implements CallStage {
    private static final int LONGEST_KEY = 256;

    private final KeyTable table;
    private final RepeatLimits limits;
    private final Environment environment;
    private final Function<Request, String> digest;
    private final String instance;

    /**
     * Makes the stage, which knows of no call.
     *
     * @param digest the same text for requests that ask the same
     */
    public RepeatedCalls(RepeatLimits limits, Environment environment, Function<Request, String> digest) {
        var random = environment.random();
        this.table = new KeyTable(limits, environment.timekeeper());
        this.limits = limits;
        this.environment = environment;
        this.digest = digest;
        this.instance = new UUID(random.nextLong(), random.nextLong()).toString();
    }

    /** A name that no other memory of calls has, so that others know whether this one knows theirs. */
    public String instance() {
        return instance;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var request = call.request();
        if (!request.has(Part.IDEMPOTENCY_KEY)
                || !request.method().equals(Methods.TOOLS_CALL)
                || call.cancellation().isCancelled()) {
            next.handle(call, reply);
            return;
        }
        var key = request.text(Part.IDEMPOTENCY_KEY).orElse("");
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            refuse(reply, ErrorCode.INVALID_PARAMS, notAKey(request));
            return;
        }
        if (request.text(Part.IDEMPOTENCY_INSTANCE)
                .filter(known -> !known.equals(instance))
                .isPresent()) {
            refuseUnknown(reply, key);
            return;
        }
        run(CallId.of(call, key), call, reply, next);
    }

    @Override
    public List<Reading> readings() {
        var calls = table.size();
        var bytes = table.bytes();
        return List.of(
                new Reading("repeats.calls", calls, calls + " calls with a key that are known"),
                new Reading(
                        "repeats.bytes",
                        bytes,
                        "%d of at most %d".formatted(bytes, limits.all().bytes())));
    }

    private void run(CallId id, Call call, Reply reply, Handler next) {
        var asked = digest.apply(call.request());
        var fresh = new KeyedCall(id, asked, table, limits, environment.timekeeper());
        var known = table.enter(fresh);
        if (known.isEmpty()) {
            var words = "%d calls with a key in '%s' run already, which is the limit per principal";
            refuse(reply, ErrorCode.OVERLOADED, words.formatted(limits.running(), EnvelopeKeys.IDEMPOTENCY_KEY));
            return;
        }
        var keyed = known.get();
        if (!keyed.asks(asked)) {
            var words = "the key '%s' in '%s' belongs to another call; take a new key for each call";
            refuse(reply, ErrorCode.INVALID_PARAMS, words.formatted(id.key(), EnvelopeKeys.IDEMPOTENCY_KEY));
            return;
        }
        keyed.join(call, reply);
        if (keyed == fresh) {
            keyed.begin(call, next);
        }
    }

    private static void refuseUnknown(Reply reply, String key) {
        var words =
                "the bridge was started anew since the call with the key '%s' was sent, so it does not know whether the"
                        + " call has run; it is not repeated";
        reply.done(Outcome.failed(
                Failure.of(ErrorCode.IN_DOUBT, words.formatted(key)).withDelivery(Delivery.UNKNOWN)));
    }

    private static String notAKey(Request request) {
        var raw = request.raw(Part.IDEMPOTENCY_KEY).orElse("");
        var shown = raw.length() > LONGEST_KEY ? raw.substring(0, LONGEST_KEY) + "..." : raw;
        return "'%s' is %s but must be a text of 1 to %d characters, such as a UUID"
                .formatted(EnvelopeKeys.IDEMPOTENCY_KEY, shown, LONGEST_KEY);
    }

    private static void refuse(Reply reply, ErrorCode code, String words) {
        reply.done(Outcome.failed(Failure.of(code, words)));
    }
}
