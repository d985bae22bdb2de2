package io.mcpbridge.spi;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;

/**
 * An attempt that failed.
 *
 * @param number counts from 1
 * @param method the JSON-RPC method
 * @param failure how it failed; a JSON-RPC error of the server is one too
 * @param hints what is said about repeating the tool, and by whom; the specification's defaults for other methods
 * @param remaining how long the caller still waits
 */
public record Attempt(int number, String method, Failure failure, ToolHints hints, Duration remaining) {}
