package io.mcpbridge.pipeline.audit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Occurrences;
import io.mcpbridge.spi.ToolDenied;

/**
 * Records calls that were refused before a server was found for them. Clients can bring that about as often as they
 * like, so of each user and kind of refusal only the 1st, 2nd, 4th, 8th … is recorded, with their number. Any thread.
 */
public final class Denials {
    private final SinkGuard sink;
    private final Occurrences occurrences = new Occurrences();

    public Denials(SinkGuard sink) {
        this.sink = sink;
    }

    /** A call was refused; nothing is recorded of requests that are not audited. */
    public void denied(Call call, Failure why) {
        denied(call.correlationId(), call.request(), call.caller(), why);
    }

    /** The same of a request that did not become a call. */
    public void denied(String correlationId, Request request, Caller caller, Failure why) {
        if (AuditedParts.areIn(request)) {
            record(correlationId, request, caller, why.code().name(), why.message());
        }
    }

    /** The same of a call that ends like this. */
    void denied(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            denied(call, failed.failure());
        } else {
            var error = ((Outcome.Answered) outcome).response().text(Part.ERROR_MESSAGE);
            record(call.correlationId(), call.request(), call.caller(), "", error.orElse(""));
        }
    }

    private void record(String correlationId, Request request, Caller caller, String kind, String why) {
        var principal = caller.principal();
        var count = occurrences.count(String.join("\n", kind, principal.proof(), principal.name()));
        if (count.isPresent()) {
            var reason = count.getAsLong() == 1 ? why : "%s (%d such calls by now)".formatted(why, count.getAsLong());
            sink.denied(
                    new ToolDenied(correlationId, AuditedParts.named(request), principal, caller.clientId(), reason));
        }
    }
}
