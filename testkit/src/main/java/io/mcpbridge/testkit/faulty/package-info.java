/**
 * Faults for tests of MCP clients: a server that misbehaves as a script says, and a proxy that breaks connections.
 *
 * <p>Start at {@link io.mcpbridge.testkit.faulty.FaultScript}: what happens at which point. {@link
 * io.mcpbridge.testkit.faulty.FaultyServer} follows a script in this process, over HTTP or a Unix socket; {@link
 * io.mcpbridge.testkit.faulty.FaultyServerMain} is the same as a program, also over standard input and output, for tests in
 * any language. {@link io.mcpbridge.testkit.faulty.FaultProxy} applies a {@link io.mcpbridge.testkit.faulty.Toxic} to the
 * connections of any server.
 *
 * <p>May use {@code core}, the testkit and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit.faulty;

import org.jspecify.annotations.NullMarked;
