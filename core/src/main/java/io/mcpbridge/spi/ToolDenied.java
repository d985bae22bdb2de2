package io.mcpbridge.spi;

import io.mcpbridge.call.Principal;

/**
 * A call that was not admitted.
 *
 * @param correlationId of the call
 * @param tool the name that the client used
 * @param principal who called
 * @param reason what forbids it
 */
public record ToolDenied(String correlationId, String tool, Principal principal, String reason) {}
