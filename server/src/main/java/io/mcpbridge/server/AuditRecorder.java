package io.mcpbridge.server;

import io.mcpbridge.call.Call;
import io.mcpbridge.engine.DenialRecorder;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Records calls in the audit sink. A failure of the sink ends a call before its handler runs, and only adds a log line
 * after. Any thread.
 *
 * <p>These are the outermost frames of the sink: whatever it throws, a linkage error included, is its failure.
 */
final class AuditRecorder {
    private final AuditSink sink;
    private final System.Logger logger;
    private final DenialRecorder denials = new DenialRecorder(this::write);

    AuditRecorder(AuditSink sink, System.Logger logger) {
        this.sink = sink;
        this.logger = logger;
    }

    /**
     * Waits until the record is as durable as the sink makes it.
     *
     * @throws EnterFailedException if the sink fails
     */
    void enter(ToolEnter event) throws InterruptedException, EnterFailedException {
        var end = new Enter();
        try {
            sink.enter(event, end);
        } catch (Throwable defect) {
            throw new EnterFailedException(defect);
        }
        var failure = end.ends.take();
        if (failure.isPresent()) {
            throw new EnterFailedException(failure.get());
        }
    }

    /** Records an end, then runs {@code then}, also if the sink fails, which is logged. Does not wait. */
    void exit(ToolExit event, Runnable then) {
        var end = new Exit(then);
        try {
            sink.exit(event, end);
        } catch (Throwable defect) {
            end.failed(defect);
        }
    }

    /** Records that a registered tool was not admitted. */
    void denied(AuditedCall call, Failure why) {
        denials.denied(call, why);
    }

    /** Records a call of a tool that does not exist. */
    void denied(Call call, Failure why) {
        denials.denied(call, why);
    }

    private void write(ToolDenied event) {
        try {
            sink.denied(event);
        } catch (Throwable defect) {
            warn("audit-denied", defect);
        }
    }

    void note(AuditNote note) {
        try {
            sink.note(note);
        } catch (Throwable defect) {
            warn("audit-note", defect);
        }
    }

    private void warn(String what, Throwable why) {
        logger.log(Level.ERROR, "[mcp-bridge] %s sink failed: %s".formatted(what, ErrorText.of(why)));
    }

    /** The sink failed to record the enter, so the handler must not run. */
    static final class EnterFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        private EnterFailedException(Throwable why) {
            super("audit-enter sink failed: " + ErrorText.of(why), why);
        }
    }

    private static final class Enter implements Completion {
        private final BlockingQueue<Optional<Throwable>> ends = new ArrayBlockingQueue<>(1);

        @Override
        public void succeeded() {
            ends.offer(Optional.empty());
        }

        @Override
        public void failed(Throwable why) {
            ends.offer(Optional.of(why));
        }
    }

    private final class Exit implements Completion {
        private final Runnable then;
        private final AtomicBoolean isOver = new AtomicBoolean();

        private Exit(Runnable then) {
            this.then = then;
        }

        @Override
        public void succeeded() {
            if (isOver.compareAndSet(false, true)) {
                then.run();
            }
        }

        @Override
        public void failed(Throwable why) {
            if (isOver.compareAndSet(false, true)) {
                warn("audit-exit", why);
                then.run();
            }
        }
    }
}
