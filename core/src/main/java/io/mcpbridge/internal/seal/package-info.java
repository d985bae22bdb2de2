/**
 * Texts that clients carry for the bridge and cannot read, change or use for anything else, such as cursors of merged
 * lists.
 *
 * <p>Start at {@link io.mcpbridge.internal.seal.Seal}. Uses nothing of the bridge.
 */
@NullMarked
package io.mcpbridge.internal.seal;

import org.jspecify.annotations.NullMarked;
