package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.message.JsonStrings;

/**
 * The name, version and client id of the bridge in handshakes.
 *
 * @param name for example {@code mcp-bridge}
 * @param version the artifact's version
 * @param clientId the id that a daemon shows in its registry, or the empty string
 */
public record BridgeIdentity(String name, String version, String clientId) {

    /** The identity as a client of servers: {@code mcp-bridge} in the version of this artifact. */
    public static final BridgeIdentity OURS = new BridgeIdentity("mcp-bridge", artifactVersion(), "");

    /** The version in the manifest, or {@code development} where the classes do not come from a jar. */
    private static String artifactVersion() {
        var version = BridgeIdentity.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    public BridgeIdentity withClientId(String newClientId) {
        return new BridgeIdentity(name, version, newClientId);
    }

    /** Name and version as the JSON of a {@code clientInfo}. */
    String clientInfo() {
        return "{\"name\":%s,\"version\":%s}".formatted(JsonStrings.quote(name), JsonStrings.quote(version));
    }
}
