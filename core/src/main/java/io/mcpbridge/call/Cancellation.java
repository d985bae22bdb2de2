package io.mcpbridge.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call was withdrawn, and who has to hear of it. Any thread may use it.
 *
 * <p>A call has one, and each attempt has a {@linkplain #child() child} that ends with its parent or by
 * itself. The first reason wins. Whoever holds the call answers a cancellation with the one outcome.
 */
public final class Cancellation {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Consumer<CancelReason>> actions = new ArrayList<>(2);
    private volatile @Nullable CancelReason reason;

    /** Withdraws the call and runs the registered actions on this thread; only the first call counts. */
    public void cancel(CancelReason why) {
        List<Consumer<CancelReason>> due;
        lock.lock();
        try {
            if (reason != null) {
                return;
            }
            reason = why;
            due = List.copyOf(actions);
            actions.clear();
        } finally {
            lock.unlock();
        }
        due.forEach(action -> action.accept(why));
    }

    /** Runs {@code action} when the call is withdrawn, at once if it already is. */
    public Registration onCancel(Consumer<CancelReason> action) {
        CancelReason already;
        lock.lock();
        try {
            already = reason;
            if (already == null) {
                actions.add(action);
            }
        } finally {
            lock.unlock();
        }
        if (already != null) {
            action.accept(already);
        }
        return () -> remove(action);
    }

    public boolean isCancelled() {
        return reason != null;
    }

    public Optional<CancelReason> reason() {
        return Optional.ofNullable(reason);
    }

    /** One that is cancelled when this one is; close it when the attempt has ended. */
    public Child child() {
        var child = new Cancellation();
        return new Child(child, onCancel(child::cancel));
    }

    private void remove(Consumer<CancelReason> action) {
        lock.lock();
        try {
            // By identity: a method reference equals nothing but itself.
            actions.removeIf(each -> each == action);
        } finally {
            lock.unlock();
        }
    }

    /** An action that waits for the cancellation. */
    public interface Registration {

        /** Takes the action back; harmless when it has run. */
        void remove();
    }

    /**
     * A cancellation that follows its parent.
     *
     * @param cancellation the attempt's own
     * @param link what ties it to its parent; remove it when the attempt has ended
     */
    public record Child(Cancellation cancellation, Registration link) {}
}
