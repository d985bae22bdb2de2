package io.mcpbridge.call;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one end of a wait: of what was waited for, an alarm and the call's withdrawal the first counts, and what was set up
 * for the others is given back. A stage that suspends a call makes one; any thread may use it.
 */
public final class CallWait {
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Runnable release = () -> {};

    public boolean isOver() {
        return isOver.get();
    }

    /**
     * Says what is to be given back at the end, or gives it back where that has come meanwhile.
     *
     * @param action harmless if it runs twice
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
