/**
 * Sandboxes child processes: they cannot outlive us, and have limits if they are configured.
 *
 * <p>The daemon finds {@link io.mcpbridge.sandbox.SandboxLauncherProvider}; start reading at {@link
 * io.mcpbridge.sandbox.launch.SandboxLauncher}. {@code worker} runs served tools in processes of their own.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox;

import org.jspecify.annotations.NullMarked;
