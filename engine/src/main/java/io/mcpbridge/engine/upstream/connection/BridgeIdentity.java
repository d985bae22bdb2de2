package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

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

    /** The version that the build has written; a manifest has it only in a jar on the class path. */
    private static String artifactVersion() {
        try (var version = BridgeIdentity.class.getResourceAsStream("version")) {
            return new String(Objects.requireNonNull(version).readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public BridgeIdentity withClientId(String newClientId) {
        return new BridgeIdentity(name, version, newClientId);
    }

    /** Name and version as the JSON of a {@code clientInfo}. */
    String clientInfo() {
        return "{\"name\":%s,\"version\":%s}".formatted(JsonStrings.quote(name), JsonStrings.quote(version));
    }
}
