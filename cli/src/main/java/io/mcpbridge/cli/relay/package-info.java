/**
 * {@code mcp-bridge connect}: relays one client on standard input and output to the daemon.
 *
 * <p>Start at {@link io.mcpbridge.cli.relay.Relay}. Messages of all revisions pass unchanged. The relay keeps only the
 * session state that it needs to reconnect.
 *
 * <p>Uses {@code core}. Threads may block, except in callbacks of transports and listeners.
 */
@NullMarked
package io.mcpbridge.cli.relay;

import org.jspecify.annotations.NullMarked;
