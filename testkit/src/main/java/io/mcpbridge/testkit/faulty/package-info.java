/**
 * Faults for tests of MCP clients: a server that misbehaves as a script says, and a proxy that breaks connections.
 *
 * <p>Start at {@link io.mcpbridge.testkit.faulty.FaultScript}, which lists faults and their times.
 * {@link io.mcpbridge.testkit.faulty.FaultyServer} runs a script in this process, over HTTP or a Unix socket.
 * {@link io.mcpbridge.testkit.faulty.FaultyServerMain} is the same server as a program, also over standard input and
 * output, for tests in any language. {@link io.mcpbridge.testkit.faulty.FaultProxy} applies a
 * {@link io.mcpbridge.testkit.faulty.Toxic} to the connections of any server.
 *
 * <p>May use {@code core}, the testkit and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit.faulty;

import org.jspecify.annotations.NullMarked;
