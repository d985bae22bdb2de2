/**
 * Two tools of the bridge's own for clients that cannot hold the definitions of all tools: one that searches, and one
 * that calls what was found.
 *
 * <p>Start at {@link io.mcpbridge.routing.search.CalledTool} and {@link io.mcpbridge.routing.search.SearchStage}, which
 * stand before everything that looks at the name of a tool. Uses {@code routing} and the packages below it.
 */
@NullMarked
package io.mcpbridge.routing.search;

import org.jspecify.annotations.NullMarked;
