/**
 * Stages of a call that decide about trying again, waiting and refusing.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.retry;

import org.jspecify.annotations.NullMarked;
