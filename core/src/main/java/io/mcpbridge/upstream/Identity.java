package io.mcpbridge.upstream;

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
}
