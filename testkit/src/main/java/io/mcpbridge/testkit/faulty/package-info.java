/**
 * An MCP server that misbehaves where it is told to, for whoever speaks to MCP servers.
 *
 * <p>Start at {@link io.mcpbridge.testkit.faulty.FaultScript}: what happens at which {@link
 * io.mcpbridge.testkit.faulty.Point}. {@link io.mcpbridge.testkit.faulty.FaultyServer} follows a script in this process,
 * over HTTP or a Unix socket; {@link io.mcpbridge.testkit.faulty.FaultyServerMain} is the same as a program, also over
 * standard input and output, for tests in any language.
 *
 * <p>May use {@code core}, the testkit and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit.faulty;

import org.jspecify.annotations.NullMarked;
