/**
 * Audit sinks that keep a record of calls which can be checked later.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit;

import org.jspecify.annotations.NullMarked;
