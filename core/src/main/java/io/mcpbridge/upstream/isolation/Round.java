package io.mcpbridge.upstream.isolation;

import io.mcpbridge.call.Principal;

/**
 * What the next round of a call is known by.
 *
 * @param principal whose call it is; nobody else's is the next one
 * @param tool which one is called, whose limits its process has
 * @param state what the server gave for the next round
 */
public record Round(Principal principal, String tool, String state) {}
