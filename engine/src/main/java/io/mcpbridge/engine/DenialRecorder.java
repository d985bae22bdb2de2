package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.AuditStage;
import io.mcpbridge.engine.pipeline.ResolveStage;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.PowerOfTwoSampler;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Records denied calls in the audit. Clients can cause any number of denials, so for each user, server and kind of
 * denial it records only the 1st, 2nd, 4th, 8th …, with the count. Any thread.
 */
public final class DenialRecorder {
    private final Consumer<ToolDenied> sink;
    private final Function<Call, AuditedCall> named;
    private final PowerOfTwoSampler occurrences = new PowerOfTwoSampler();

    /** @param sink receives the sampled denials; must not wait or throw */
    public DenialRecorder(Consumer<ToolDenied> sink) {
        this(sink, ResolveStage::named);
    }

    /** @param named describes a call whose destination is not known */
    public DenialRecorder(Consumer<ToolDenied> sink, Function<Call, AuditedCall> named) {
        this.sink = sink;
        this.named = named;
    }

    /**
     * Records a call that was denied before it began, or before its server was found. Ignores requests that are not
     * audited.
     */
    public void denied(Call call, Failure why) {
        if (AuditStage.isAudited(call.request())) {
            recordNamed(named.apply(call), why.code().name(), why.message());
        }
    }

    /** Records a denied call with this outcome. Ignores requests that are not audited. */
    void denied(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            denied(call, failed.failure());
        } else if (AuditStage.isAudited(call.request())) {
            var error = ((Outcome.Answered) outcome).response().text(MessageField.ERROR_MESSAGE);
            recordNamed(named.apply(call), "", error.orElse(""));
        }
    }

    /** Records the denied call of a known tool, prompt or resource, each of which is sampled separately. */
    public void denied(AuditedCall known, Failure why) {
        var kind = String.join("\n", why.code().name(), known.method(), known.server(), known.tool());
        record(known, kind, why.message());
    }

    /** Samples by server and not by name, since clients can make up any number of names. */
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
