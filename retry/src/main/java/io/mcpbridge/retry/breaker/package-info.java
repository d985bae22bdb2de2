/**
 * A circuit breaker for each server.
 *
 * <p>Start at {@link io.mcpbridge.retry.breaker.BreakerStage}; {@code CircuitBreaker} is its state machine.
 * The probe itself is {@link io.mcpbridge.spi.StageContext#probe}, a request that the engine sends.
 *
 * <p>Uses the backoff of {@code retry}, {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry.breaker;

import org.jspecify.annotations.NullMarked;
