/**
 * Spares servers what they were asked already: answers that still hold, and calls that ask the same at the same time.
 *
 * <p>Start at {@link io.mcpbridge.retry.cache.CacheStage} and {@link io.mcpbridge.retry.cache.CoalescingStage}. Nobody
 * gets what was answered to another user, save where the server calls it public.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry.cache;

import org.jspecify.annotations.NullMarked;
