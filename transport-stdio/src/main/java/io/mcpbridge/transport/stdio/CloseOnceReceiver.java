package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport.Receiver;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reports the end of the connection to the receiver once, and nothing after it.
 *
 * <p>A thread that is inside a call to the receiver when the end comes finishes that call and then reports the end itself, so
 * that no thread waits and no lock is held meanwhile. Any thread may use it.
 */
final class CloseOnceReceiver {
    private final Receiver receiver;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int inside;

    @GuardedBy("lock")
    private @Nullable Closed end;

    CloseOnceReceiver(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Reports that {@code out} is about to be written; false after the end, when it must not be written. */
    boolean written(Outgoing out) {
        return report(() -> receiver.written(out));
    }

    void message(Message message) {
        report(() -> receiver.message(message, Optional.empty()));
    }

    void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        report(() -> receiver.unreadable(why, answerTo));
    }

    /** Reports the end; only the first one counts. */
    void close(Closed why) {
        lock.lock();
        try {
            if (end != null) {
                return;
            }
            end = why;
            if (inside > 0) {
                return;
            }
        } finally {
            lock.unlock();
        }
        receiver.closed(why);
    }

    private boolean report(Runnable event) {
        if (!enter()) {
            return false;
        }
        try {
            event.run();
        } finally {
            leave();
        }
        return true;
    }

    private boolean enter() {
        lock.lock();
        try {
            if (end != null) {
                return false;
            }
            inside++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        Closed why;
        lock.lock();
        try {
            inside--;
            why = inside == 0 ? end : null;
        } finally {
            lock.unlock();
        }
        if (why != null) {
            receiver.closed(why);
        }
    }
}
