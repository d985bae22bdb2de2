/**
 * Rate limiting and concurrency limiting.
 *
 * <p>Start at {@link io.mcpbridge.retry.limit.RateLimitStage} and {@link io.mcpbridge.retry.limit.ConcurrencyStage}.
 * Calls over a limit wait in a fair queue; no thread waits.
 *
 * <p>Uses {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry.limit;

import org.jspecify.annotations.NullMarked;
