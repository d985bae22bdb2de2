/**
 * Holds child processes: they cannot outlive us, and have limits where that is asked for.
 *
 * <p>{@link io.mcpbridge.sandbox.SandboxLauncherProvider} is found by the daemon; start reading at {@link
 * io.mcpbridge.sandbox.launch.SandboxLauncher}. Served tools in processes of their own are in {@code worker}.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox;

import org.jspecify.annotations.NullMarked;
