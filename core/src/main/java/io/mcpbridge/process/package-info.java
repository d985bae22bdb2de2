/**
 * Starts child processes as they are, and chooses who holds them firmer.
 *
 * <p>Start at {@link io.mcpbridge.process.PlainProcessLauncher}, which {@link
 * io.mcpbridge.process.SandboxChoice} puts behind that of a sandbox. {@link io.mcpbridge.process.ChildEnvironment}
 * says which of our environment variables a child gets to see.
 *
 * <p>Uses {@code discovery}, {@code spi}, {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.process;

import org.jspecify.annotations.NullMarked;
