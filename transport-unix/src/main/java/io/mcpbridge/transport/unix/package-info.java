/**
 * Transport and listener over Unix sockets, one JSON message per line.
 *
 * <p>Start at {@link io.mcpbridge.transport.unix.UnixTransportProvider} for servers and at {@link
 * io.mcpbridge.transport.unix.UnixListenerProvider} for clients. Both register their sockets with a few {@code
 * SocketEventLoop}s; the thread that has a message writes it. The folder of the socket restricts access, and the
 * listener asks the system for the user of each client before it reads a byte.
 *
 * <p>Uses {@code core}, {@code support} and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.unix;

import org.jspecify.annotations.NullMarked;
