/**
 * Audit sinks that keep a record of calls which can be checked later.
 *
 * <p>{@code record} says what a record is, {@code redact} what it does not show; start there.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit;

import org.jspecify.annotations.NullMarked;
