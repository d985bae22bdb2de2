package io.mcpbridge.serve;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Cancellation;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Interrupts a call's thread when the call is withdrawn, but not after it has gone on to something else. */
final class Interruption implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Cancellation.Registration link;

    @GuardedBy("lock")
    private @Nullable Thread thread = Thread.currentThread();

    /** Begins to interrupt this very thread. */
    Interruption(Cancellation cancellation) {
        link = cancellation.onCancel(reason -> interrupt());
    }

    private void interrupt() {
        lock.lock();
        try {
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends a call that was withdrawn before its thread came to it. */
    void check() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("withdrawn before it began");
        }
    }

    /** Stops it, and takes an interruption back that has done its work or came too late. */
    @Override
    public void close() {
        link.remove();
        lock.lock();
        try {
            thread = null;
        } finally {
            lock.unlock();
        }
        Thread.interrupted();
    }
}
