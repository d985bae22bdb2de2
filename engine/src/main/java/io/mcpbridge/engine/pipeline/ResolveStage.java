package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import java.util.function.Consumer;

/**
 * Finds the destination of each call, once; the stages that follow read it. Usually the destination is known at once.
 * If servers have to list first, the call is suspended until its deadline or cancellation.
 *
 * @param unresolved records the calls that end here
 */
public record ResolveStage(Resolver resolver, Unresolved unresolved) implements CallStage {

    private static final Destination NOWHERE = Destination.ofBridge(call -> {});

    /** Finds the destinations of calls. Any thread may use it; never waits. */
    public interface Resolver {

        /**
         * Passes the destination to {@code found}, or ends the call with {@code rejected}. Calls one of them, once, now
         * or later.
         */
        void resolve(Call call, Consumer<Destination> found, Reply rejected);

        /** Describes a call for the audit by its request alone. */
        default AuditedCall named(Call call) {
            return ResolveStage.named(call);
        }
    }

    /** Records calls that end before their destination is known. */
    public interface Unresolved {
        /** Records nothing. */
        Unresolved NONE = new Unresolved() {};

        /** The call was rejected, since it has no destination. */
        default void rejected(PipelineCall call, Outcome outcome) {}

        /** The call was cancelled, or its deadline came. */
        default void withdrawn(PipelineCall call, Outcome outcome) {}
    }

    /** Describes a call with an unknown server, by the name or URI in its request. */
    public static AuditedCall named(Call call) {
        var request = call.request();
        var name = request.text(MessageField.NAME)
                .or(() -> request.text(MessageField.URI))
                .orElse("");
        return AuditedCall.of(call, "", name, "", "");
    }

    @Override
    public void handle(CallContext call, Next next) {
        var resolution = new Resolution(PipelineCall.of(call), next);
        resolver.resolve(call, resolution::found, resolution::rejected);
        if (!resolution.isOver) {
            resolution.suspend();
        }
    }

    /** The resolution of one call; the first of its three ends counts. */
    private final class Resolution {
        private final PipelineCall call;
        private final Next next;
        private volatile Timekeeper.Alarm alarm = () -> {};
        private volatile Cancellation.Registration link = () -> {};
        private volatile boolean isOver;

        private Resolution(PipelineCall call, Next next) {
            this.call = call;
            this.next = next;
        }

        /** Ends the call at its deadline or cancellation while it has no destination. */
        private void suspend() {
            alarm = call.deadline().alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
            link = call.cancellation().onCancel(this::withdrawn);
            if (isOver) {
                release();
            }
        }

        private void found(Destination destination) {
            if (call.resolve(destination)) {
                release();
                next.handle(call);
            }
        }

        private void rejected(Outcome outcome) {
            if (call.resolve(NOWHERE)) {
                release();
                unresolved.rejected(call, outcome);
                call.complete(outcome);
            }
        }

        private void withdrawn(CancelReason reason) {
            if (call.resolve(NOWHERE)) {
                release();
                var words = "'%s' ended before it was known which server it is for: %s"
                        .formatted(call.request().method(), reason.text());
                var server = resolver.named(call).server();
                var outcome = Outcome.failed(Failure.of(reason.code(), words).withServer(server));
                unresolved.withdrawn(call, outcome);
                call.complete(outcome);
            }
        }

        private void release() {
            isOver = true;
            alarm.cancel();
            link.remove();
        }
    }
}
