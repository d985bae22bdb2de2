/**
 * What a pool and its workers say to each other: frames with plain Java values in them.
 *
 * <p>Start at {@link io.mcpbridge.sandbox.worker.internal.frame.Frame}. Both sides bound what they take: what a tool
 * writes between the frames must not cost the host more than the worker.
 *
 * <p>Uses the JDK only, so that a worker has little to load.
 */
@NullMarked
package io.mcpbridge.sandbox.worker.internal.frame;

import org.jspecify.annotations.NullMarked;
