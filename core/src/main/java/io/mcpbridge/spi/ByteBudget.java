package io.mcpbridge.spi;

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

    /** Whether so many bytes could be taken at this moment. */
    public boolean hasRoomFor(long bytes) {
        return used.get() + bytes <= maxBytes;
    }

    /** Takes so many bytes whether or not there is room, for small pieces that must not be dropped. */
    public void takeAnyway(long bytes) {
        used.addAndGet(bytes);
    }

    /** Takes so many bytes, all or none. */
    public boolean take(long bytes) {
        if (used.addAndGet(bytes) <= maxBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /** Gives back what was taken. */
    public void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }
}
