package io.mcpbridge.upstream;

/**
 * How the bridge introduces itself in handshakes, on both sides.
 *
 * @param name for example {@code mcp-bridge}
 * @param version the artifact's version
 */
public record Identity(String name, String version) {

    /** As a client of servers: {@code mcp-bridge} in the version of this artifact. */
    public static final Identity OURS = new Identity("mcp-bridge", BridgeVersion.read());
}
