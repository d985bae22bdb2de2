/**
 * The file {@code mcp.lock}: which definitions of tools somebody has approved, and what differs from it.
 *
 * <p>Start at {@link io.mcpbridge.catalog.lock.PinnedToolCatalog}. A {@code Review} compares what a server lists with the
 * {@code Lock}; two definitions are the same where their {@code CanonicalJson} is.
 *
 * <p>Uses {@code core}, Jackson and the JDK.
 */
@NullMarked
package io.mcpbridge.catalog.lock;

import org.jspecify.annotations.NullMarked;
