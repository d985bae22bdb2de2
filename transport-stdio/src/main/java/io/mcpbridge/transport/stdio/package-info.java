/**
 * Transport to servers that run as child processes, and listener for a client, both over standard streams.
 *
 * <p>Start at {@link io.mcpbridge.transport.stdio.StdioTransport} for servers and at
 * {@link io.mcpbridge.transport.stdio.StdioListener} for the client; their settings list what can be configured.
 *
 * <p>May use {@code core}, {@code support} and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.stdio;

import org.jspecify.annotations.NullMarked;
