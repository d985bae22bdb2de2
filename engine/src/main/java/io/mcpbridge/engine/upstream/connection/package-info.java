/**
 * One connection to one server: from its opening, through the negotiation of the protocol, to its end.
 *
 * <p>Start at {@link io.mcpbridge.engine.upstream.connection.ServerConnection}, which sends requests and ends each of them
 * once. {@link io.mcpbridge.engine.upstream.connection.ProtocolNegotiation} makes a new connection ready; {@link
 * io.mcpbridge.engine.upstream.connection.ServerProfile} is what the server said of itself.
 *
 * <p>Uses {@code pipeline}, {@code config}, {@code upstream.affinity} and {@code core}.
 */
@NullMarked
package io.mcpbridge.engine.upstream.connection;

import org.jspecify.annotations.NullMarked;
