/**
 * Newline-framed messages over a byte stream, such as a socket or the standard streams.
 *
 * <p>Start at {@link io.mcpbridge.stream.ClientLineConnection}, the side of listeners: a listener passes on the bytes that it reads
 * and a {@link io.mcpbridge.stream.ByteSink} to write to; lines become exchanges, and responses become lines. {@link
 * io.mcpbridge.stream.ServerLineConnection} is the side of transports. On both sides a bounded queue holds what the peer does not read.
 * Nothing here blocks or owns a thread: the thread that has a message writes it, an event loop at the end of its turn.
 *
 * <p>Uses {@code failure}, {@code message}, {@code call}, {@code spi} and the JDK.
 */
@NullMarked
package io.mcpbridge.stream;

import org.jspecify.annotations.NullMarked;
