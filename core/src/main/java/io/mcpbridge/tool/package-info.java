/**
 * The tools, prompts and resources of servers, and the results of calls.
 *
 * <p>Start at {@link ToolDefinition} and {@link ToolResult}, or at {@link Prompt} and {@link Resource}. Except for
 * results of tools, each type keeps the JSON of the server as {@link Json}, and has a method for each part that Java programs need.
 *
 * <p>Uses {@code failure}, {@code message}, {@code call.LogLevel}, the hidden JSON reader and rules of definitions, and the
 * JDK.
 */
@NullMarked
package io.mcpbridge.tool;

import org.jspecify.annotations.NullMarked;
