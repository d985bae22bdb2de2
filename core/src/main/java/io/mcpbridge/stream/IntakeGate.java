package io.mcpbridge.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hands exchanges to an intake and tells it the end once, after what was being handed over and never within. One
 * thread delivers; any thread may end.
 */
final class IntakeGate {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Intake intake = Nowhere.INTAKE;

    @GuardedBy("lock")
    private boolean delivering;

    @GuardedBy("lock")
    private boolean shut;

    /** Whether the end is to be told as soon as the delivery under way returns. */
    @GuardedBy("lock")
    private boolean endIsDue;

    /** Begins with this intake; false, with the end told to it, if the gate was shut before. */
    boolean open(Intake accepted) {
        lock.lock();
        try {
            if (!shut) {
                intake = accepted;
                return true;
            }
        } finally {
            lock.unlock();
        }
        accepted.closed();
        return false;
    }

    /** Hands the exchange over; false if the gate is shut. */
    boolean deliver(Exchange exchange) {
        Intake target;
        lock.lock();
        try {
            if (shut) {
                return false;
            }
            delivering = true;
            target = intake;
        } finally {
            lock.unlock();
        }
        try {
            target.received(exchange);
        } finally {
            delivered(target);
        }
        return true;
    }

    boolean takesBatches(Principal principal) {
        Intake target;
        lock.lock();
        try {
            target = intake;
        } finally {
            lock.unlock();
        }
        return target.takesBatches(Metadata.EMPTY, principal);
    }

    /** Lets nothing more through; false if it was shut already. */
    boolean shut() {
        lock.lock();
        try {
            var isFirst = !shut;
            shut = true;
            return isFirst;
        } finally {
            lock.unlock();
        }
    }

    /** Tells the end; for whoever has shut the gate. */
    void tellEnd() {
        Intake target;
        lock.lock();
        try {
            if (delivering) {
                endIsDue = true;
                return;
            }
            target = intake;
        } finally {
            lock.unlock();
        }
        target.closed();
    }

    private void delivered(Intake target) {
        boolean ended;
        lock.lock();
        try {
            delivering = false;
            ended = endIsDue;
        } finally {
            lock.unlock();
        }
        if (ended) {
            target.closed();
        }
    }
}
