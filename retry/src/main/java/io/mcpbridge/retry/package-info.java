/**
 * Decides which failed calls are tried again, and when.
 *
 * <p>Start at {@link io.mcpbridge.retry.ExponentialRetryPolicy}, which repeats what may heal, and {@link
 * io.mcpbridge.retry.SafeRetryPolicy}, which repeats only what cannot run twice or may. Both only decide; the engine
 * of the core counts, waits and watches deadlines.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry;

import org.jspecify.annotations.NullMarked;
