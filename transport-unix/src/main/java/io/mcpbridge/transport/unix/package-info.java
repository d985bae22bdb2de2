/**
 * Reaches servers and serves clients over Unix sockets, one JSON message on a line.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.unix;

import org.jspecify.annotations.NullMarked;
