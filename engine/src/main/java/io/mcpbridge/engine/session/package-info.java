/**
 * The clients of the bridge: their connections and sessions in either era, and their requests in flight.
 *
 * <p>Start at {@link io.mcpbridge.engine.session.Clients}, where connections of byte streams and HTTP listeners begin. Their
 * requests go to a {@code LegacySession} or a {@code ModernFrontend}; {@code ClientCalls} makes a call of each and ends its
 * exchange. {@link io.mcpbridge.engine.session.DownstreamParts} holds what all share.
 *
 * <p>Uses {@code call}, {@code era}, {@code spi} and what they use, and of {@code upstream.connection} the name of one
 * capability.
 */
@NullMarked
package io.mcpbridge.engine.session;

import org.jspecify.annotations.NullMarked;
