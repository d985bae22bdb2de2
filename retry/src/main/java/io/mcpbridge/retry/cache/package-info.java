/**
 * Response caching and request coalescing.
 *
 * <p>Start at {@link io.mcpbridge.retry.cache.CacheStage} and {@link io.mcpbridge.retry.cache.CoalescingStage}. A
 * response for one user is never given to another one, except where the server declares it public.
 *
 * <p>Uses {@code sharing}, {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry.cache;

import org.jspecify.annotations.NullMarked;
