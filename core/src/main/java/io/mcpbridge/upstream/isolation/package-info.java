/**
 * Processes of a server that have one call each: how many there are, which are started ahead, and who waits for one.
 *
 * <p>Start at {@link io.mcpbridge.upstream.isolation.ChildPool}. It knows neither sessions nor messages; {@code
 * toolcalls} puts those in. Public for that package only.
 *
 * <p>Uses {@code session}, {@code config}, {@code spi} and what they use.
 */
@NullMarked
package io.mcpbridge.upstream.isolation;

import org.jspecify.annotations.NullMarked;
