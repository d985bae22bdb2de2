/**
 * Starts children behind tools of the operating system that confine them: {@code setpriv}, {@code prlimit}, {@code bwrap},
 * {@code unshare} and {@code systemd-run}.
 *
 * <p>Start at {@link io.mcpbridge.sandbox.launch.SandboxLauncher}. {@code LevelDetection} probes what this machine can do;
 * each {@code CommandWrapper} puts words before a command that confine what it starts; {@code UsageMonitor} checks limits
 * that the kernel does not enforce here, or does not report.
 *
 * <p>Uses {@code spi}, {@code call}, {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox.launch;

import org.jspecify.annotations.NullMarked;
