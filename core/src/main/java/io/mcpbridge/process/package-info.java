/**
 * Starts child processes as they are, without a sandbox.
 *
 * <p>Start at {@link io.mcpbridge.process.PlainProcessLauncher}. {@link io.mcpbridge.process.ChildEnvironment}
 * says which of our environment variables a child gets to see.
 *
 * <p>Uses {@code spi}, {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.process;

import org.jspecify.annotations.NullMarked;
