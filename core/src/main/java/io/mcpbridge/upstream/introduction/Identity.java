package io.mcpbridge.upstream.introduction;

import io.mcpbridge.message.JsonText;

/**
 * How the bridge introduces itself in handshakes, on both sides.
 *
 * @param name for example {@code mcp-bridge}
 * @param version the artifact's version
 * @param clientId the id that a daemon shows in its registry, or the empty string
 */
public record Identity(String name, String version, String clientId) {

    /** As a client of servers: {@code mcp-bridge} in the version of this artifact. */
    public static final Identity OURS = new Identity("mcp-bridge", BridgeVersion.read(), "");

    public Identity withClientId(String newClientId) {
        return new Identity(name, version, newClientId);
    }

    /** Name and version as the JSON of a {@code clientInfo}. */
    String clientInfo() {
        return "{\"name\":%s,\"version\":%s}".formatted(JsonText.quote(name), JsonText.quote(version));
    }
}
