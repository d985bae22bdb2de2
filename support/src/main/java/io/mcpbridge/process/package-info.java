/**
 * Starts child processes, and ends them with all their descendants.
 *
 * <p>Start at {@link io.mcpbridge.process.PlainProcessLauncher}, which the launcher of a sandbox wraps. {@link
 * io.mcpbridge.process.ChildEnvironment} selects the environment variables of a child.
 *
 * <p>Uses {@code spi}, {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.process;

import org.jspecify.annotations.NullMarked;
