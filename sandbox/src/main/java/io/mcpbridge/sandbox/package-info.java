/**
 * Starts child processes with limits.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox;

import org.jspecify.annotations.NullMarked;
