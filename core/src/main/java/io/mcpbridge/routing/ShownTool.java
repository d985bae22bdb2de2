package io.mcpbridge.routing;

import io.mcpbridge.tool.ToolDefinition;

/**
 * A tool as a client sees it.
 *
 * @param server the configured name of its server
 * @param definition under the name that clients see
 */
public record ShownTool(String server, ToolDefinition definition) {}
