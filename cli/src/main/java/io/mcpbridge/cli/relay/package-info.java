/**
 * {@code mcp-bridge connect}: one client on standard input and output, the daemon behind it.
 *
 * <p>Start at {@link io.mcpbridge.cli.relay.Relay}. Messages pass as they are, whatever revision they are of; what is
 * kept of them is what a daemon has to hear that takes the place of the first one.
 *
 * <p>May use {@code core}. Threads here may wait, except where a transport or a listener calls.
 */
@NullMarked
package io.mcpbridge.cli.relay;

import org.jspecify.annotations.NullMarked;
