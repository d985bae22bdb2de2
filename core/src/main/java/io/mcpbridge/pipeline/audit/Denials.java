package io.mcpbridge.pipeline.audit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.Occurrences;
import io.mcpbridge.spi.ToolDenied;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Records calls that were turned away. Clients can bring that about as often as they like, so of each user, server and kind of
 * refusal only the 1st, 2nd, 4th, 8th … is recorded, with their number. Any thread.
 */
public final class Denials {
    private final Consumer<ToolDenied> sink;
    private final Function<Request, AuditedCall> named;
    private final Occurrences occurrences = new Occurrences();

    /** @param sink takes what is recorded; it neither waits nor fails */
    public Denials(Consumer<ToolDenied> sink) {
        this(sink, AuditedParts::named);
    }

    /** @param named says what a request is about for which nobody has looked */
    public Denials(Consumer<ToolDenied> sink, Function<Request, AuditedCall> named) {
        this.sink = sink;
        this.named = named;
    }

    /** A call was refused before it began, or before a server was found for it; nothing is recorded of requests that are not audited. */
    public void denied(Call call, Failure why) {
        if (AuditedParts.areIn(call.request())) {
            recordNamed(new Denial(call, named(call.request())), why.code().name(), why.message());
        }
    }

    /** The same of a call that ends like this. */
    void denied(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            denied(call, failed.failure());
        } else {
            var error = ((Outcome.Answered) outcome).response().text(Part.ERROR_MESSAGE);
            recordNamed(new Denial(call, named(call.request())), "", error.orElse(""));
        }
    }

    /** A call of something that is here was not admitted; what is here is counted apart from all else. */
    public void denied(Call call, AuditedCall known, Failure why) {
        var kind = String.join("\n", why.code().name(), known.method(), known.server(), known.tool());
        record(new Denial(call, known), kind, why.message());
    }

    /** What the request is about, as far as its words say that. */
    AuditedCall named(Request request) {
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
                    call.correlationId(), audited, caller.principal(), caller.clientId(), TraceParent.of(call), reason);
        }
    }
}
