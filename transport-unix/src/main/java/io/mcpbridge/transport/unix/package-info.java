/**
 * Reaches servers and serves clients over Unix sockets, one JSON message on a line.
 *
 * <p>Start at {@link io.mcpbridge.transport.unix.UnixTransportProvider} for servers and at {@link
 * io.mcpbridge.transport.unix.UnixListenerProvider} for clients. Both put their sockets on a few {@code SocketLoop}s;
 * whoever has something to write writes it there and then. The folder of the listener's socket is its fence,
 * and who connects is asked of the system before a byte is read.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.unix;

import org.jspecify.annotations.NullMarked;
