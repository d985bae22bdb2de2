package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.PowerOfTwoSampler;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Records calls that were turned away. Clients can bring that about as often as they like, so of each user, server and kind of
 * refusal only the 1st, 2nd, 4th, 8th … is recorded, with their number. Any thread.
 */
public final class DenialRecorder {
    private static final Set<String> AUDITED =
            Set.of(Methods.TOOLS_CALL, Methods.RESOURCES_READ, Methods.PROMPTS_GET, Methods.COMPLETION_COMPLETE);

    private final Consumer<ToolDenied> sink;
    private final Function<Call, AuditedCall> named;
    private final PowerOfTwoSampler occurrences = new PowerOfTwoSampler();

    /** @param sink takes what is recorded; it neither waits nor fails */
    public DenialRecorder(Consumer<ToolDenied> sink) {
        this(sink, DenialRecorder::named);
    }

    /** @param named says what a call is about whose destination is not known */
    public DenialRecorder(Consumer<ToolDenied> sink, Function<Call, AuditedCall> named) {
        this.sink = sink;
        this.named = named;
    }

    /** Whether the audit records a request: one that a server answers, as opposed to lists and pings. */
    static boolean isAudited(Request request) {
        return AUDITED.contains(request.method());
    }

    /** A call by the name in its request, for which no server is known. */
    static AuditedCall named(Call call) {
        var request = call.request();
        var name = request.text(MessageField.NAME)
                .or(() -> request.text(MessageField.URI))
                .orElse("");
        return AuditedCall.of(call, "", name, "", "");
    }

    /** A call was refused before it began, or before a server was found for it; nothing is recorded of requests that are not audited. */
    public void denied(Call call, Failure why) {
        if (isAudited(call.request())) {
            recordNamed(describe(call), why.code().name(), why.message());
        }
    }

    /** The same of a call that ends like this. */
    void denied(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            denied(call, failed.failure());
        } else if (isAudited(call.request())) {
            var error = ((Outcome.Answered) outcome).response().text(MessageField.ERROR_MESSAGE);
            recordNamed(describe(call), "", error.orElse(""));
        }
    }

    /** A call of something that is here was not admitted; what is here is counted apart from all else. */
    public void denied(AuditedCall known, Failure why) {
        var kind = String.join("\n", why.code().name(), known.method(), known.server(), known.tool());
        record(known, kind, why.message());
    }

    /** What the call is about, as far as the words of its request say that. */
    AuditedCall describe(Call call) {
        return named.apply(call);
    }

    /** Servers are as many as are configured, what is said to be there is without end. */
    private void recordNamed(AuditedCall call, String code, String why) {
        record(call, code + "\n" + call.server(), why);
    }

    private void record(AuditedCall call, String kind, String why) {
        var principal = call.principal();
        var count = occurrences.count(String.join("\n", kind, principal.proof(), principal.name()));
        if (count.isPresent()) {
            var reason = count.getAsLong() == 1 ? why : "%s (%d such calls by now)".formatted(why, count.getAsLong());
            sink.accept(new ToolDenied(call, reason));
        }
    }
}
