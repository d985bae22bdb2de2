/**
 * Tools of our own, served to clients of both eras over any listener.
 *
 * <p>Start at {@link io.mcpbridge.serve.ToolServer}: it registers tools, starts and stops. Every call of a tool goes
 * through the five stages that {@code ToolRun} shows in one place: its turn, the check of its arguments, the audit's
 * enter, the tool itself, the audit's exit. Handlers run on threads of their own and may wait; {@link
 * io.mcpbridge.serve.ToolCall} is what they see of their call.
 *
 * <p>Uses {@code downstream}, which serves the clients, {@code translate}, which asks those of the modern era, and what
 * lies below.
 */
@NullMarked
package io.mcpbridge.serve;

import org.jspecify.annotations.NullMarked;
