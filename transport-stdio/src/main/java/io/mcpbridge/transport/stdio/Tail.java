package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/** The last bytes of a stream, in a ring. One thread adds, any thread looks. */
final class Tail {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final byte[] ring;

    @GuardedBy("lock")
    private long total;

    Tail(int size) {
        this.ring = new byte[size];
    }

    void add(byte[] bytes, int length) {
        lock.lock();
        try {
            for (int i = Math.max(0, length - ring.length); i < length; i++) {
                ring[(int) ((total + i) % ring.length)] = bytes[i];
            }
            total += length;
        } finally {
            lock.unlock();
        }
    }

    /** What is kept, oldest first. */
    byte[] bytes() {
        lock.lock();
        try {
            var kept = new byte[(int) Math.min(total, ring.length)];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = ring[(int) ((total - kept.length + i) % ring.length)];
            }
            return kept;
        } finally {
            lock.unlock();
        }
    }
}
