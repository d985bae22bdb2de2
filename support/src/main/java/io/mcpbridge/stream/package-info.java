/**
 * Newline-framed messages over a byte stream, such as a socket or the standard streams.
 *
 * <p>Start at {@link io.mcpbridge.stream.LineConnection}, the server side: a listener passes on the bytes that it reads and a
 * {@link io.mcpbridge.stream.Wire} to write to; lines become exchanges, and responses become lines. A bounded queue holds
 * what a slow client does not read. {@link io.mcpbridge.stream.LineWriter} serves both sides. Nothing here blocks or owns a
 * thread: the thread that has a message writes it.
 *
 * <p>Uses {@code failure}, {@code message}, {@code call}, {@code spi} and the JDK.
 */
@NullMarked
package io.mcpbridge.stream;

import org.jspecify.annotations.NullMarked;
