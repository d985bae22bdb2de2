/**
 * Clients of the modern era that listen: {@code subscriptions/listen}, from its acknowledgement to its end.
 *
 * <p>Start at {@link io.mcpbridge.downstream.listening.ClientListens}. Uses {@code downstream.calls}.
 */
@NullMarked
package io.mcpbridge.downstream.listening;

import org.jspecify.annotations.NullMarked;
