package io.mcpbridge.pipeline.audit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.SingleEnd;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.tool.ToolHints;
import java.util.function.Supplier;

/**
 * The beginning of a call's audit: what it is about. Mostly that is known at once; where servers have to list first, the
 * call can be withdrawn meanwhile, and its deadline holds.
 */
final class Lookup implements AuditTargets.Hearer {
    private final Call call;
    private final Reply reply;
    private final Handler next;
    private final AuditStage.Parts parts;
    private final SingleEnd end = new SingleEnd();

    Lookup(Call call, Reply reply, Handler next, AuditStage.Parts parts) {
        this.call = call;
        this.reply = reply;
        this.next = next;
        this.parts = parts;
    }

    void begin(AuditTargets targets) {
        targets.find(call, this);
        if (end.isOver()) {
            return;
        }
        var alarm = call.deadline().alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        var link = call.cancellation().onCancel(this::withdrawn);
        end.releasing(() -> {
            alarm.cancel();
            link.remove();
        });
    }

    @Override
    public void found(AuditedCall audited, Supplier<ToolHints> hints, Handler destination) {
        if (end.end()) {
            // What is recorded is what is called, however long the record takes.
            var found = call.withDestination(destination);
            new RecordedCall(found, audited, requires(audited, hints), reply, next, parts).enter();
        }
    }

    private boolean requires(AuditedCall audited, Supplier<ToolHints> hints) {
        return parts.mode() == AuditMode.REQUIRED
                || (parts.mode() == AuditMode.REQUIRED_FOR_CHANGES
                        && audited.method().equals(Methods.TOOLS_CALL)
                        && !hints.get().believed().readOnly());
    }

    @Override
    public void refused(Outcome outcome) {
        if (end.end()) {
            parts.denials().denied(call, outcome);
            reply.done(outcome);
        }
    }

    private void withdrawn(CancelReason reason) {
        var words = "'%s' ended before it was known which server it is for: %s"
                .formatted(call.request().method(), reason.text());
        if (end.end()) {
            var named = parts.denials().named(call.request());
            new RecordedCall(call, named, false, reply, next, parts).withdrawn(Failure.of(reason.code(), words));
        }
    }
}
