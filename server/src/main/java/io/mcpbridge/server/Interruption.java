package io.mcpbridge.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Cancellation;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread of a call when the call is cancelled, but not after the call has left the thread. */
final class Interruption implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Cancellation.Registration registration;

    @GuardedBy("lock")
    private @Nullable Thread thread = Thread.currentThread();

    Interruption(Cancellation cancellation) {
        registration = cancellation.onCancel(reason -> interrupt());
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

    /** Ends a call that was cancelled before it began. */
    void check() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("cancelled before it began");
        }
    }

    /** Clears the flag of an interruption that has had its effect or came too late. */
    @Override
    public void close() {
        registration.remove();
        lock.lock();
        try {
            thread = null;
        } finally {
            lock.unlock();
        }
        Thread.interrupted();
    }
}
