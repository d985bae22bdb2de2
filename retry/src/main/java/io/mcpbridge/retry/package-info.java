/**
 * Retry policies; the packages below hold the call stages that protect servers.
 *
 * <p>Start at {@link io.mcpbridge.retry.ExponentialRetryPolicy}, which repeats every recoverable failure, and {@link
 * io.mcpbridge.retry.SafeRetryPolicy}, which repeats only calls that did not run or may run twice. Both only decide; the engine
 * counts attempts, waits and watches deadlines.
 *
 * <p>Uses {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry;

import org.jspecify.annotations.NullMarked;
