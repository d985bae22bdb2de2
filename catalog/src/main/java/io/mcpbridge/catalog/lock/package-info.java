/**
 * The lock file {@code mcp.lock}: approved definitions of tools, and how the tools of servers differ from them.
 *
 * <p>Start at {@link io.mcpbridge.catalog.lock.PinnedToolCatalog}. It compares the tools that a server lists with the
 * {@code Pins} of the file. Two definitions are equal if their {@code CanonicalJson} is.
 *
 * <p>Uses {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.catalog.lock;

import org.jspecify.annotations.NullMarked;
