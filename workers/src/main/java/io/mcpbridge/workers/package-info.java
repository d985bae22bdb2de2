/**
 * Runs served tools in a pool of warm worker processes.
 *
 * <p>Start at {@link io.mcpbridge.workers.WorkerPool}: it makes a handler of a {@link
 * io.mcpbridge.workers.SandboxedTool} that a server registers like any other. A call runs in a worker, within limits of
 * memory and time, and cannot harm other calls or this process. {@code WorkerGroup} has the state of workers with one
 * memory limit; {@code Worker} is one process.
 *
 * <p>Uses {@code call}, {@code failure}, {@code spi} and {@code tool} of the core, {@code process} of {@code support}, the
 * modules {@code server} and {@code sandbox}, and the JDK.
 */
@NullMarked
package io.mcpbridge.workers;

import org.jspecify.annotations.NullMarked;
