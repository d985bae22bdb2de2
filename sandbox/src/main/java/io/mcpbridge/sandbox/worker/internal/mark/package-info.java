/**
 * By what those are known that stem from a worker. Start with {@link io.mcpbridge.sandbox.worker.internal.mark.WorkerMark}.
 *
 * <p>Shared by the pool and its workers; uses the JDK alone.
 */
@NullMarked
package io.mcpbridge.sandbox.worker.internal.mark;

import org.jspecify.annotations.NullMarked;
