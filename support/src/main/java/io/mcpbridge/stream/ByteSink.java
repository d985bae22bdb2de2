package io.mcpbridge.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The writing side of a byte stream. It never blocks and accepts as many bytes as fit. A listener or transport creates
 * one per connection.
 */
public interface ByteSink {

    /**
     * Writes what fits now, which may be nothing, and advances the buffer's position. One thread calls it at a time; it
     * may wait only where that thread belongs to the sink itself.
     *
     * @throws IOException if the stream is broken or closed
     */
    void write(ByteBuffer bytes) throws IOException;

    /**
     * Requests one call of {@code writable}, on a thread of the sink, as soon as more may fit. Any thread may call it, also
     * repeatedly.
     */
    void awaitWritable();

    /** Closes the stream in both directions. Any thread may call it, also repeatedly. */
    void close();
}
