/**
 * Served tools that run in processes of their own: a pool of Java virtual machines that are there before a call comes.
 *
 * <p>Start at {@link io.mcpbridge.sandbox.worker.WorkerPool}: it makes a handler of a {@link
 * io.mcpbridge.sandbox.worker.SandboxedTool} that a server registers like any other. A call of it runs in a worker, within
 * limits of memory and time; whatever it does there, other calls and this process go on.
 *
 * <p>Uses {@code serve}, {@code spi} and {@code process} of the core, and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox.worker;

import org.jspecify.annotations.NullMarked;
