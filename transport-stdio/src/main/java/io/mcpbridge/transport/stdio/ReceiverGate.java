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
 * Tells the receiver the end of the connection once, and nothing of the connection after it.
 *
 * <p>Whoever is inside a call to the receiver when the end comes finishes it and then tells the end itself,
 * so that nobody waits and no lock is held meanwhile. Any thread may use it.
 */
final class ReceiverGate {
    private final Receiver receiver;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int inside;

    @GuardedBy("lock")
    private @Nullable Closed end;

    ReceiverGate(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Tells that {@code out} is about to be written, unless the end was told: then it must not be written. */
    boolean written(Outgoing out) {
        return tell(() -> receiver.written(out));
    }

    void message(Message message) {
        tell(() -> receiver.message(message, Optional.empty()));
    }

    void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        tell(() -> receiver.unreadable(why, answerTo));
    }

    /** Tells the end; only the first one counts. */
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

    private boolean tell(Runnable what) {
        if (!enter()) {
            return false;
        }
        try {
            what.run();
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
