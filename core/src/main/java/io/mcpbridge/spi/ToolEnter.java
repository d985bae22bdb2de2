package io.mcpbridge.spi;

import io.mcpbridge.call.Principal;

/**
 * A tool call begins.
 *
 * @param correlationId the same in the exit
 * @param server the configured name of the server, or the empty string for a tool of our own
 * @param tool the tool's name at its server
 * @param arguments the raw JSON of the arguments
 * @param principal who calls
 * @param clientId the id that the client gave itself, or the empty string
 * @param nanoTime the monotonic reading
 */
public record ToolEnter(
        String correlationId,
        String server,
        String tool,
        String arguments,
        Principal principal,
        String clientId,
        long nanoTime) {}
