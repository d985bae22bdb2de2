package io.mcpbridge.spi;

import java.util.concurrent.atomic.AtomicLong;

/** A bound on bytes that are held at once, such as those of all connections or of one session. Any thread may use it. */
public final class ByteBudget {
    private final long maxBytes;
    private final AtomicLong used = new AtomicLong();

    private ByteBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A budget of {@code maxBytes} bytes, at least one. */
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

    /** Whether this number of bytes is available now. */
    public boolean hasRoomFor(long bytes) {
        return used.get() + bytes <= maxBytes;
    }

    /** Takes bytes even if they exceed the budget, for small messages that must not be dropped. */
    public void takeAnyway(long bytes) {
        used.addAndGet(bytes);
    }

    /** Takes all of the bytes and returns true, or takes none and returns false. */
    public boolean take(long bytes) {
        if (used.addAndGet(bytes) <= maxBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /** Returns bytes that were taken. */
    public void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }
}
