/**
 * Which server a request belongs to, and what clients see of all servers together.
 *
 * <p>Start at {@link io.mcpbridge.routing.Router}, the handler behind every client session. {@link
 * io.mcpbridge.routing.Routes} is one immutable table of servers, exchanged as a whole when the configuration is
 * read again.
 *
 * <p>Uses {@code upstream}, {@code pipeline} and what they use.
 */
@NullMarked
package io.mcpbridge.routing;

import org.jspecify.annotations.NullMarked;
