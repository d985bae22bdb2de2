/**
 * How the bridge and a server get to know each other over a new connection: which era the server is of, what it says
 * of itself, and what is remembered of that.
 *
 * <p>Start at {@link io.mcpbridge.upstream.introduction.EraSearch}, which asks ({@code Discovery}), shakes hands
 * ({@code Handshake}) or does one after the other. What others read are
 * {@link io.mcpbridge.upstream.introduction.ServerProfile}, {@link io.mcpbridge.upstream.introduction.EraVerdict} and
 * {@link io.mcpbridge.upstream.introduction.Identity}; the rest is public for the packages beside it only.
 *
 * <p>Uses {@code upstream.session}, {@code era}, {@code config} and what they use.
 */
@NullMarked
package io.mcpbridge.upstream.introduction;

import org.jspecify.annotations.NullMarked;
