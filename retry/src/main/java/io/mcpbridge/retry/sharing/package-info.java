/**
 * One run of a call for several callers.
 *
 * <p>Start at {@link io.mcpbridge.retry.sharing.SharedCall}.
 *
 * <p>Uses {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry.sharing;

import org.jspecify.annotations.NullMarked;
