package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.ProtocolVersion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The self-description of a server at the start of a connection.
 *
 * @param version the negotiated revision
 * @param name its own name, which proves nothing
 * @param serverVersion its own version
 * @param capabilities its capabilities as raw JSON
 */
public record ServerProfile(ProtocolVersion version, String name, String serverVersion, String capabilities) {
    /** The experimental capability of a server that runs calls with one idempotency key once. */
    public static final String KEEPS_OUTCOMES = "io.mcpbridge/idempotency";

    /** The name of the bridge instance that keeps outcomes by idempotency keys; empty where the server keeps none. */
    public String keeper() {
        try {
            var experimental = members(members(capabilities).get("experimental"));
            var instance = members(experimental.get(KEEPS_OUTCOMES)).getOrDefault("instance", "");
            return instance.startsWith("\"") ? JsonStrings.decode(instance) : "";
        } catch (BridgeException | IllegalArgumentException unreadable) {
            return "";
        }
    }

    /** Whether the server declares this capability, such as {@code prompts}. */
    public boolean declares(String capability) {
        if (!capabilities.startsWith("{")) {
            return false;
        }
        var declared = JsonCodec.rawMembers(capabilities).getOrDefault(capability, "false");
        return !declared.equals("false") && !declared.equals("null");
    }

    /** The members of a JSON object as raw JSON; none where it is no object. */
    static Map<String, String> members(@Nullable String raw) {
        return raw != null && raw.startsWith("{") ? JsonCodec.rawMembers(raw) : Map.of();
    }

    /**
     * A member that should be a text: decoded where it is one, else as it is, and the empty string where it is missing.
     */
    static String text(Map<String, String> members, String key) {
        var raw = members.getOrDefault(key, "\"\"");
        return raw.startsWith("\"") ? JsonStrings.decode(raw) : raw;
    }
}
