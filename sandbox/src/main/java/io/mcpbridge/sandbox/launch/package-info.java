/**
 * Starts children through tools of the operating system that confine them: {@code setpriv}, {@code prlimit},
 * {@code bwrap}, {@code unshare} and {@code systemd-run}.
 *
 * <p>Start at {@link io.mcpbridge.sandbox.launch.SandboxLauncher}. {@code LevelDetection} probes the machine; each
 * {@code CommandWrapper} prepends the words of a confining tool to a command; {@code UsageMonitor} checks limits that
 * the kernel does not enforce here, or does not report.
 *
 * <p>Uses {@code spi}, {@code call}, {@code failure}, {@code support} and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox.launch;

import org.jspecify.annotations.NullMarked;
