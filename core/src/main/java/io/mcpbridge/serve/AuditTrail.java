package io.mcpbridge.serve;

import io.mcpbridge.call.Call;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.pipeline.audit.Denials;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes to the audit sink, whose failures end a call before it began and never after it. Any thread.
 *
 * <p>Whatever the sink throws is its failure, a class that it misses among them: these are its outermost frames.
 */
final class AuditTrail {
    private final AuditSink sink;
    private final System.Logger logger;
    private final Denials denials = new Denials(this::write);

    AuditTrail(AuditSink sink, System.Logger logger) {
        this.sink = sink;
        this.logger = logger;
    }

    /** The sink could not take an enter, so the tool must not run. */
    static final class EnterFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        private EnterFailedException(Throwable why) {
            super("audit-enter sink failed: " + Words.of(why), why);
        }
    }

    /** Waits until the record is as safe as the sink makes it. */
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

    /** Records an end; {@code then} runs once that is done or has failed, which is logged. Does not wait. */
    void exit(ToolExit event, Runnable then) {
        var over = new Exit(then);
        try {
            sink.exit(event, over);
        } catch (Throwable defect) {
            over.failed(defect);
        }
    }

    /** A tool that is here was not admitted. */
    void denied(Call call, AuditedCall tool, Failure why) {
        denials.denied(call, tool, why);
    }

    /** There is no such tool. */
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
        logger.log(Level.ERROR, "[mcp-bridge] %s sink failed: %s".formatted(what, Words.of(why)));
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
