/**
 * Starts children by means of the operating system that hold them: {@code setpriv}, {@code prlimit}, {@code bwrap}, {@code
 * unshare} and {@code systemd-run}.
 *
 * <p>Start at {@link io.mcpbridge.sandbox.launch.SandboxLauncher}. {@code Levels} finds out by trying what this machine can
 * do; each {@code Means} puts words before a command that hold what it starts; {@code TreeWatch} looks at what the
 * system itself does not bound here, or does not say that it has.
 *
 * <p>Uses {@code spi}, {@code call}, {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox.launch;

import org.jspecify.annotations.NullMarked;
