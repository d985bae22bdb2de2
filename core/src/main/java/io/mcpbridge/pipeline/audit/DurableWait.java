package io.mcpbridge.pipeline.audit;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.Completion;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The wait until one record is safe, which ends once: when the sink says so or that it is not, when it takes too long, or
 * when nobody wants to know any more. No thread waits meanwhile.
 */
final class DurableWait implements Completion {
    private final AuditStage.Parts parts;
    private final String what;
    private final Runnable safe;
    private final Consumer<Throwable> unsafe;
    private final Thread caller = Thread.currentThread();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Timekeeper.Alarm alarm = () -> {};

    /** Only looked at by the caller's own thread. */
    private boolean isHandingOver = true;

    /**
     * A wait that has not begun.
     *
     * @param what the kind of record
     * @param safe goes on when the record is safe
     * @param unsafe goes on when it is not
     */
    DurableWait(AuditStage.Parts parts, String what, Runnable safe, Consumer<Throwable> unsafe) {
        this.parts = parts;
        this.what = what;
        this.safe = safe;
        this.unsafe = unsafe;
    }

    /** Hands the record over, and waits for no longer than {@code patience}. */
    void begin(Consumer<Completion> record, Duration patience) {
        record.accept(this);
        isHandingOver = false;
        if (!isOver.get()) {
            alarm = parts.timekeeper().schedule(patience, () -> late(patience));
            if (isOver.get()) {
                alarm.cancel();
            }
        }
    }

    private void late(Duration patience) {
        failed(new TimeoutException("it was not safe within %d ms".formatted(patience.toMillis())));
    }

    /** Ends it without a word; false if it is over already. */
    boolean giveUp() {
        if (!isOver.compareAndSet(false, true)) {
            return false;
        }
        alarm.cancel();
        return true;
    }

    @Override
    public void succeeded() {
        // Also what is too late shows that the sink works.
        parts.sink().kept();
        if (giveUp()) {
            goOn(safe);
        }
    }

    @Override
    public void failed(Throwable why) {
        if (giveUp()) {
            parts.sink().failed(what, why);
            goOn(() -> unsafe.accept(why));
        }
    }

    /** At once where the sink was done before it returned; else the sink's thread has other things to do. */
    private void goOn(Runnable action) {
        if (isHandingOver && Thread.currentThread() == caller) {
            action.run();
            return;
        }
        try {
            parts.threads().execute(action);
        } catch (RejectedExecutionException ending) {
            action.run();
        }
    }
}
