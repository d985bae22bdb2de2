/**
 * The server side of a byte stream on which each line is one message: a socket, or our standard streams.
 *
 * <p>Start at {@link io.mcpbridge.stream.LineConnection}: a listener hands it the bytes that it reads and a
 * {@link io.mcpbridge.stream.Wire} to write on, and it turns lines into exchanges and answers into lines. What
 * a slow client does not take waits in the {@link io.mcpbridge.stream.Outbox}, within bounds. Nothing here
 * waits and nothing here has a thread: whoever has an answer writes it.
 *
 * <p>Uses {@code failure}, {@code message}, {@code call}, {@code spi} and the JDK.
 */
@NullMarked
package io.mcpbridge.stream;

import org.jspecify.annotations.NullMarked;
