/**
 * Starts child processes, and ends them with all their descendants.
 *
 * <p>Start at {@link io.mcpbridge.process.PlainProcessLauncher}; {@link io.mcpbridge.process.SandboxChoice} wraps it in
 * the launcher of a sandbox. {@link io.mcpbridge.process.ChildEnvironment} selects the environment variables of a
 * child.
 *
 * <p>Uses {@code discovery}, {@code spi}, {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.process;

import org.jspecify.annotations.NullMarked;
