package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
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
public final class Denials {
    private static final Set<String> AUDITED =
            Set.of(Methods.TOOLS_CALL, Methods.RESOURCES_READ, Methods.PROMPTS_GET, Methods.COMPLETION_COMPLETE);

    private final Consumer<ToolDenied> sink;
    private final Function<Request, AuditedCall> named;
    private final PowerOfTwoSampler occurrences = new PowerOfTwoSampler();

    /** @param sink takes what is recorded; it neither waits nor fails */
    public Denials(Consumer<ToolDenied> sink) {
        this(sink, Denials::named);
    }

    /** @param named says what a request is about whose destination is not known */
    public Denials(Consumer<ToolDenied> sink, Function<Request, AuditedCall> named) {
        this.sink = sink;
        this.named = named;
    }

    /** Whether the audit records a request: one that a server answers, as opposed to lists and pings. */
    static boolean isAudited(Request request) {
        return AUDITED.contains(request.method());
    }

    /** The name in a request for which no server is known. */
    static AuditedCall named(Request request) {
        var name = request.text(Part.NAME).or(() -> request.text(Part.URI)).orElse("");
        return new AuditedCall(request.method(), "", name, "");
    }

    /** A call was refused before it began, or before a server was found for it; nothing is recorded of requests that are not audited. */
    public void denied(Call call, Failure why) {
        if (isAudited(call.request())) {
            recordNamed(new Denial(call, describe(call.request())), why.code().name(), why.message());
        }
    }

    /** The same of a call that ends like this. */
    void denied(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            denied(call, failed.failure());
        } else if (isAudited(call.request())) {
            var error = ((Outcome.Answered) outcome).response().text(Part.ERROR_MESSAGE);
            recordNamed(new Denial(call, describe(call.request())), "", error.orElse(""));
        }
    }

    /** A call of something that is here was not admitted; what is here is counted apart from all else. */
    public void denied(Call call, AuditedCall known, Failure why) {
        var kind = String.join("\n", why.code().name(), known.method(), known.server(), known.tool());
        record(new Denial(call, known), kind, why.message());
    }

    /** What the request is about, as far as its words say that. */
    AuditedCall describe(Request request) {
        return named.apply(request);
    }

    /** Servers are as many as are configured, what is said to be there is without end. */
    private void recordNamed(Denial denial, String code, String why) {
        record(denial, code + "\n" + denial.audited.server(), why);
    }

    private void record(Denial denial, String kind, String why) {
        var principal = denial.call.caller().principal();
        var count = occurrences.count(String.join("\n", kind, principal.proof(), principal.name()));
        if (count.isPresent()) {
            var reason = count.getAsLong() == 1 ? why : "%s (%d such calls by now)".formatted(why, count.getAsLong());
            sink.accept(denial.because(reason));
        }
    }

    /** What was turned away. */
    private record Denial(Call call, AuditedCall audited) {

        private ToolDenied because(String reason) {
            var caller = call.caller();
            return new ToolDenied(
                    call.correlationId(), audited, caller.principal(), caller.clientId(), call.trace(), reason);
        }
    }
}
