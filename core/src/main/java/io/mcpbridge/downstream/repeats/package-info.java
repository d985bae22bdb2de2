/**
 * Calls that bridges in front repeat because they did not hear how they ended: each runs once.
 *
 * <p>Start at {@link io.mcpbridge.downstream.repeats.RepeatedCalls}. Uses {@code call}, {@code spi} and what they use.
 */
@NullMarked
package io.mcpbridge.downstream.repeats;

import org.jspecify.annotations.NullMarked;
