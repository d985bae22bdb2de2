package io.mcpbridge.audit.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Events on their way to the one writer. Any thread may offer and never waits; the writer alone takes. */
final class RecordQueue {
    /** How many events may wait. */
    static final int MAX_EVENTS = 8_192;

    /** How many bytes they may hold. */
    static final long MAX_BYTES = 64L << 20;

    private final Queue<Pending> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();
    private volatile boolean poked;

    /** Takes an event, unless there is no room for it. */
    boolean offer(Pending event) {
        if (count.incrementAndGet() > MAX_EVENTS) {
            count.decrementAndGet();
            return false;
        }
        if (bytes.addAndGet(event.bytes()) > MAX_BYTES) {
            forget(event);
            return false;
        }
        events.add(event);
        wake();
        return true;
    }

    /** Takes an event back; false where the writer has it. */
    boolean withdraw(Pending event) {
        var isHere = events.remove(event);
        if (isHere) {
            forget(event);
        }
        return isHere;
    }

    /** Lets the writer look after something else. */
    void poke() {
        poked = true;
        wake();
    }

    /** How many events wait. */
    int size() {
        return count.get();
    }

    /** Waits for events or a poke; the events that are there, at most {@code most}, maybe none. */
    List<Pending> take(int most, long mostBytes) {
        awaitSomething();
        poked = false;
        var group = new ArrayList<Pending>();
        var size = 0L;
        while (group.size() < most && size < mostBytes) {
            var next = events.poll();
            if (next == null) {
                break;
            }
            forget(next);
            size += next.bytes();
            group.add(next);
        }
        return group;
    }

    private void awaitSomething() {
        while (events.isEmpty() && !poked) {
            waiting.set(Thread.currentThread());
            if (events.isEmpty() && !poked) {
                LockSupport.park(this);
            }
            waiting.set(null);
            // An interrupt would close the file at the next write, and nobody means that by one.
            var unused = Thread.interrupted();
        }
    }

    private void wake() {
        if (waiting.get() != null) {
            var writer = waiting.getAndSet(null);
            if (writer != null) {
                LockSupport.unpark(writer);
            }
        }
    }

    private void forget(Pending event) {
        count.decrementAndGet();
        bytes.addAndGet(-event.bytes());
    }
}
