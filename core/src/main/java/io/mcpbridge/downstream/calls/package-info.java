/**
 * Requests of clients that are under way, whichever era they are written in.
 *
 * <p>Start at {@link io.mcpbridge.downstream.calls.ClientCalls}, which makes a call of a request and knows it until
 * its end; a {@code Manner} says how it is answered. {@link io.mcpbridge.downstream.calls.DownstreamParts} is what
 * everything in front of the bridge is made of.
 *
 * <p>Uses {@code call}, {@code spi} and what they use.
 */
@NullMarked
package io.mcpbridge.downstream.calls;

import org.jspecify.annotations.NullMarked;
