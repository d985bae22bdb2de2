/**
 * What core brings along for its own extension points: no retries, an audit that keeps nothing, a catalog in
 * memory.
 *
 * <p>Start at the providers. Uses {@code spi} and what it uses.
 */
@NullMarked
package io.mcpbridge.standard;

import org.jspecify.annotations.NullMarked;
