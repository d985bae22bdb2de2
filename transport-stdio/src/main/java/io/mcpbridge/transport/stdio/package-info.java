/**
 * Reaches a server that runs as a child process, over its standard streams, and serves clients over
 * our own.
 *
 * <p>Start at {@link io.mcpbridge.transport.stdio.StdioTransport} for servers and at {@link
 * io.mcpbridge.transport.stdio.StdioListener} for the client; their settings say what can be configured.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.stdio;

import org.jspecify.annotations.NullMarked;
