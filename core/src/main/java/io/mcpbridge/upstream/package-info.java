/**
 * One server behind the bridge, with its connections.
 *
 * <p>Start at {@link io.mcpbridge.upstream.Upstream}, the handler that the router hands calls to. It keeps an
 * {@code UpstreamSession} per kind of caller; a session opens its transport and matches answers to calls. Features of a
 * server have packages of their own, which do not know this one: {@code introduction} finds its era, {@code listening}
 * hears what it tells unasked, {@code seats} keeps clients apart in its sessions. {@code lists}, what it has, stands above.
 *
 * <p>Uses {@code pipeline}, {@code era}, {@code spi}, {@code event} and what they use.
 */
@NullMarked
package io.mcpbridge.upstream;

import org.jspecify.annotations.NullMarked;
