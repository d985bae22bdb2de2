/**
 * The official MCP Java SDK on a bridge.
 *
 * <p>{@link io.mcpbridge.sdk.BridgeTransports} connects its clients to servers behind a bridge, {@link
 * io.mcpbridge.sdk.BridgeServerTransports} connects its servers to our listeners, and {@link io.mcpbridge.sdk.SdkResults}
 * converts results and definitions.
 *
 * <p>Messages go to the {@code McpJsonMapper} of the SDK as text; no type of Jackson is used here.
 */
@NullMarked
package io.mcpbridge.sdk;

import org.jspecify.annotations.NullMarked;
