/**
 * How the engine writes requests in the era of the server that receives them.
 *
 * <p>Start at {@link io.mcpbridge.era.Dialect}; {@link io.mcpbridge.message.MirroredHeaders} has the headers that HTTP adds. Pure:
 * nothing here holds state or waits. Uses {@code call} and {@code message}.
 */
@NullMarked
package io.mcpbridge.era;

import org.jspecify.annotations.NullMarked;
