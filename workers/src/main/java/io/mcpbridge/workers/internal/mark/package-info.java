/**
 * Recognizes the processes that descend from a worker. Start at {@link
 * io.mcpbridge.workers.internal.mark.WorkerMark}.
 *
 * <p>The pool and its workers share it. Uses the JDK alone.
 */
@NullMarked
package io.mcpbridge.workers.internal.mark;

import org.jspecify.annotations.NullMarked;
