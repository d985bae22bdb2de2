package io.mcpbridge.call;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the wait of a suspended call exactly once. A wait ends by the awaited event, by an alarm or by cancellation of
 * the call. The first of them wins and releases what was registered for the others. A stage that suspends a call
 * creates one; any thread may use it.
 */
public final class OneShotEnd {
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Runnable release = () -> {};

    public boolean isOver() {
        return isOver.get();
    }

    /**
     * Sets the action that releases resources when the wait ends. The action runs at once if the wait is over.
     *
     * @param action may run twice, and has no effect the second time
     */
    public void releasing(Runnable action) {
        release = action;
        if (isOver.get()) {
            action.run();
        }
    }

    /** Ends the wait; false if it is over already. */
    public boolean end() {
        if (!isOver.compareAndSet(false, true)) {
            return false;
        }
        release.run();
        return true;
    }
}
