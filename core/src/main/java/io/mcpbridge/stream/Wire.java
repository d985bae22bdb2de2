package io.mcpbridge.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The writing half of a byte stream that takes what fits. Made by a listener or a transport, one per connection. */
public interface Wire {

    /**
     * Writes what fits at this moment, which may be nothing, and moves the buffer's position accordingly.
     * Called by one thread at a time, any of them; waits only where the thread is the wire's own.
     *
     * @throws IOException if the stream is broken or closed
     */
    void write(ByteBuffer bytes) throws IOException;

    /**
     * Asks for one call of {@link Outbox#flush}, on a thread of the wire, as soon as more may fit. Any thread
     * may ask, and more than once.
     */
    void awaitWritable();

    /** Ends the stream in both directions; closing twice is harmless, and any thread may. */
    void close();
}
