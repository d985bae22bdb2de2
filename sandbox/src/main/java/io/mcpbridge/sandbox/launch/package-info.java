/**
 * Starts children by means of the operating system that hold them: {@code setpriv}, {@code prlimit}, {@code bwrap}, {@code
 * unshare} and {@code systemd-run}.
 *
 * <p>Start at {@link io.mcpbridge.sandbox.launch.SandboxLauncher}. {@code Levels} finds out by trying what this machine can
 * do; each {@code Means} puts words before a command that hold what it starts; {@code TreeWatch} counts what the system
 * itself does not bound here.
 *
 * <p>Uses {@code spi}, {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox.launch;

import org.jspecify.annotations.NullMarked;
