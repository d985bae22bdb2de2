/**
 * The lists of one server: tools, resources, their templates, and prompts. They are loaded when a caller asks, and again
 * after a change.
 *
 * <p>Start at {@link io.mcpbridge.engine.upstream.lists.UpstreamLists}. A {@code ServerList} is what callers share; it loads
 * with a {@code ListPager} and keeps the elements in a {@code ListCache}. A {@code LastRunList} answers for it until the
 * server has listed, with the tools that a {@code ListFile} has kept.
 *
 * <p>Uses {@code upstream.connection}, {@code upstream.affinity}, {@code config} and {@code core}. What it needs of the server
 * is {@link io.mcpbridge.engine.upstream.lists.ListSource}.
 */
@NullMarked
package io.mcpbridge.engine.upstream.lists;

import org.jspecify.annotations.NullMarked;
