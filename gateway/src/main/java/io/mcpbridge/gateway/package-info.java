/**
 * The daemon: configuration, listeners, reload, drain and administration.
 *
 * <p>Start at {@link io.mcpbridge.gateway.Daemon}; {@code DaemonParts} wires the parts. {@link
 * io.mcpbridge.gateway.DaemonClient} is the client of its sockets.
 *
 * <p>Uses the package {@code engine}, the front door, {@code core}, {@code support} and the JDK. Plug-ins are found at run time and never named here.
 */
@NullMarked
package io.mcpbridge.gateway;

import org.jspecify.annotations.NullMarked;
