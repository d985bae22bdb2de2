package io.mcpbridge.transport.http.internal;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Collects a body up to a limit. Used by one thread. */
public final class BoundedBody {
    private static final int FIRST_BYTES = 4 << 10;

    private final int most;
    private final int announced;
    private byte[] bytes = {};
    private int length;

    /**
     * An empty body.
     *
     * @param most the limit in bytes
     * @param announced the {@code Content-Length}, or -1
     */
    public BoundedBody(int most, long announced) {
        this.most = most;
        this.announced = announced < 0 || announced > most ? most : (int) announced;
    }

    /** Adds a part; false if the body would exceed the limit. */
    public boolean add(ByteBuf part) {
        int count = part.readableBytes();
        if (count > most - length) {
            return false;
        }
        if (length + count > bytes.length) {
            int doubled = Math.max(FIRST_BYTES, bytes.length > most / 2 ? most : 2 * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.max(length + count, Math.min(announced, doubled)));
        }
        part.readBytes(bytes, length, count);
        length += count;
        return true;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** Returns the whole body; the caller owns the array, and this object must not be used any more. */
    public byte[] take() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
}
