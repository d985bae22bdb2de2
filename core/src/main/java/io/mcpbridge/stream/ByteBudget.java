package io.mcpbridge.stream;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that many connections may hold together. Any thread may use it. */
public final class ByteBudget {
    private final long maxBytes;
    private final AtomicLong used = new AtomicLong();

    private ByteBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A budget of so many bytes, at least one. */
    public static ByteBudget of(long maxBytes) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("'maxBytes' is %d but must be at least 1".formatted(maxBytes));
        }
        return new ByteBudget(maxBytes);
    }

    /** The default: a quarter of the heap. */
    public static ByteBudget ofHeap() {
        return of(Runtime.getRuntime().maxMemory() / 4);
    }

    public long maxBytes() {
        return maxBytes;
    }

    public long used() {
        return used.get();
    }

    /** Takes so many bytes, all or none. */
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= maxBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }
}
