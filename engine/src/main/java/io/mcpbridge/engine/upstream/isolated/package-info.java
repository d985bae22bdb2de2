/**
 * One process per call: the handler of such calls, and the pool of processes behind it.
 *
 * <p>Start at {@link io.mcpbridge.engine.upstream.isolated.ProcessPerCall}.
 *
 * <p>Uses {@code pipeline}, the other packages of {@code upstream}, {@code config} and {@code core}.
 */
@NullMarked
package io.mcpbridge.engine.upstream.isolated;

import org.jspecify.annotations.NullMarked;
