/**
 * Tests of the daemon, with real sockets and real children.
 *
 * <p>Start at {@link io.mcpbridge.gateway.DaemonTest}; {@link io.mcpbridge.gateway.DaemonFixture} starts and cleans up
 * what the tests need.
 */
@NullMarked
package io.mcpbridge.gateway;

import org.jspecify.annotations.NullMarked;
