/**
 * Who the clients are: what they say of themselves, and what operators see of them.
 *
 * <p>Start at {@link io.mcpbridge.downstream.registry.ClientCard}. Uses {@code call} and {@code message}.
 */
@NullMarked
package io.mcpbridge.downstream.registry;

import org.jspecify.annotations.NullMarked;
