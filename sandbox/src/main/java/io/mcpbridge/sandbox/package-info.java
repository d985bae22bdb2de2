/**
 * Sandboxes child processes: they cannot outlive the bridge, and have limits if these are configured.
 *
 * <p>The daemon loads {@link io.mcpbridge.sandbox.SandboxLauncherProvider}; start reading at
 * {@link io.mcpbridge.sandbox.launch.SandboxLauncher}.
 *
 * <p>May use {@code core}, {@code support} and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox;

import org.jspecify.annotations.NullMarked;
