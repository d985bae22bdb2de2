/**
 * The messages between a pool and its workers: one JSON object per line, over the standard streams of the worker.
 *
 * <p>Start at {@link io.mcpbridge.workers.internal.frame.WorkerRequest} and {@link
 * io.mcpbridge.workers.internal.frame.WorkerResponse}. Both sides bound what they read: a tool can write to the
 * worker's standard output, and that must not cost the host more than the worker.
 *
 * <p>Uses {@code tool} and {@code failure} of the core, and the JDK.
 */
@NullMarked
package io.mcpbridge.workers.internal.frame;

import org.jspecify.annotations.NullMarked;
