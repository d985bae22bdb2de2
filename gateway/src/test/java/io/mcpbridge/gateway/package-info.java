/**
 * Tests of the daemon, with real sockets and real children.
 *
 * <p>Start at {@link io.mcpbridge.gateway.DaemonTest}; {@link io.mcpbridge.gateway.DaemonFixture} starts what they
 * need and sees to it that nothing is left.
 */
@NullMarked
package io.mcpbridge.gateway;

import org.jspecify.annotations.NullMarked;
