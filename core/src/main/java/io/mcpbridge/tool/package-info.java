/**
 * Tools as servers describe them, and their results.
 *
 * <p>Start at {@link ToolDefinition}, which keeps the server's own JSON and offers the parts that the bridge
 * reads. {@link ToolResult} is what the front door returns.
 *
 * <p>Uses {@code failure}, {@code message}, the hidden JSON reader and the JDK.
 */
@NullMarked
package io.mcpbridge.tool;

import org.jspecify.annotations.NullMarked;
