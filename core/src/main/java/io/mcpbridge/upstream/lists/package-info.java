/**
 * What one server lists: tools, resources, their templates, and prompts; listed when somebody asks and again when it
 * changed.
 *
 * <p>Start at {@link io.mcpbridge.upstream.lists.UpstreamLists}. A {@code ServerList} is what callers share, a {@code
 * Listing} reads its pages, and a {@code Shelf} keeps it.
 *
 * <p>Uses {@code upstream} and the packages below it.
 */
@NullMarked
package io.mcpbridge.upstream.lists;

import org.jspecify.annotations.NullMarked;
