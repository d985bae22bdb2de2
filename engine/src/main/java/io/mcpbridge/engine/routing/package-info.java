/**
 * Which server a request belongs to, and what clients see of all servers together.
 *
 * <p>Start at {@link io.mcpbridge.engine.routing.Router}, which finds the destination of each request. {@link
 * io.mcpbridge.engine.routing.RoutingTable} is one immutable table of servers; a new configuration replaces it as a whole. {@code
 * ListAggregator} merges the lists of all servers, {@code NameOwnerLookup} and {@code ResourceOwners} find the server of a name or
 * URI.
 *
 * <p>Uses {@code upstream}, {@code pipeline} and what they use.
 */
@NullMarked
package io.mcpbridge.engine.routing;

import org.jspecify.annotations.NullMarked;
