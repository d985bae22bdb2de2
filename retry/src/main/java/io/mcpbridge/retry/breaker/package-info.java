/**
 * Holds calls off while a server fails, so that neither they nor it suffer more than needed.
 *
 * <p>Start at {@link io.mcpbridge.retry.breaker.BreakerStage}; {@code CircuitBreaker} is the machine behind it.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry.breaker;

import org.jspecify.annotations.NullMarked;
