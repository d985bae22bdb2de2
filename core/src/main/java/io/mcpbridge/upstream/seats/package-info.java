/**
 * Which client has which session of a server, where the server does not say whom it asks.
 *
 * <p>Start at {@link io.mcpbridge.upstream.seats.Seats}; {@link io.mcpbridge.upstream.seats.Seating} uses it for each
 * call. What the package needs of the sessions themselves is {@link io.mcpbridge.upstream.seats.SeatedServer}. Uses
 * {@code upstream.session}, {@code call} and {@code message}.
 */
@NullMarked
package io.mcpbridge.upstream.seats;

import org.jspecify.annotations.NullMarked;
