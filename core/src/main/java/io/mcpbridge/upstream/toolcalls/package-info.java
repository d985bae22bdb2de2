/**
 * Where calls of tools go that no other request goes: in a process for each, where the configuration says so.
 *
 * <p>Start at {@link io.mcpbridge.upstream.toolcalls.ToolCalls}; {@link
 * io.mcpbridge.upstream.toolcalls.IsolatedCalls} takes processes out of the pool of {@code isolation}, and {@code
 * upstream}, which stands above, says by {@link io.mcpbridge.upstream.toolcalls.IsolatedStart} how one is started.
 * Public for the packages beside it only.
 *
 * <p>Uses {@code isolation}, {@code admission}, {@code introduction}, {@code session} and what they use.
 */
@NullMarked
package io.mcpbridge.upstream.toolcalls;

import org.jspecify.annotations.NullMarked;
