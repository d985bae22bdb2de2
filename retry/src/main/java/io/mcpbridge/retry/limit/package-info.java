/**
 * Bounds how many calls begin in a span of time, and how many are under way at once.
 *
 * <p>Start at {@link io.mcpbridge.retry.limit.RateLimitStage} and {@link
 * io.mcpbridge.retry.limit.ConcurrencyStage}. Calls that have to wait are parked; no thread waits.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry.limit;

import org.jspecify.annotations.NullMarked;
