/**
 * How requests are dressed for the era of the server that gets them.
 *
 * <p>Start at {@link io.mcpbridge.era.Dialect}; {@link io.mcpbridge.era.MirroredHeaders} says what HTTP adds. Pure:
 * nothing here holds state or waits. Uses {@code call} and {@code message}.
 */
@NullMarked
package io.mcpbridge.era;

import org.jspecify.annotations.NullMarked;
