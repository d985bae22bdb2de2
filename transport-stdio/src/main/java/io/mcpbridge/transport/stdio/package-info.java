/**
 * Reaches a server that runs as a child process, over its standard streams, and serves clients over
 * our own.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.stdio;

import org.jspecify.annotations.NullMarked;
