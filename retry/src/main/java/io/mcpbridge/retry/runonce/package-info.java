/**
 * Calls that bridges in front send again because they did not receive an outcome: each runs once.
 *
 * <p>Start at {@link io.mcpbridge.retry.runonce.RunOnceStage}.
 *
 * <p>Uses {@code sharing}, {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry.runonce;

import org.jspecify.annotations.NullMarked;
