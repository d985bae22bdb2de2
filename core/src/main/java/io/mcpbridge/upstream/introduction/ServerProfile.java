package io.mcpbridge.upstream.introduction;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.ProtocolVersion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server said of itself when a session began.
 *
 * @param version the revision it speaks with us
 * @param name its own name, which proves nothing
 * @param serverVersion its own version
 * @param capabilities its capabilities as raw JSON
 * @param instructions its instructions, or the empty string
 */
public record ServerProfile(
        ProtocolVersion version, String name, String serverVersion, String capabilities, String instructions) {
    /** The experimental capability of a server that runs calls with one key once. */
    public static final String KEEPS_OUTCOMES = "io.mcpbridge/idempotency";

    /** What a bridge is called that keeps outcomes by the keys of calls; empty where the server keeps none. */
    public String keeper() {
        try {
            var experimental = members(members(capabilities).get("experimental"));
            var instance = members(experimental.get(KEEPS_OUTCOMES)).getOrDefault("instance", "");
            return instance.startsWith("\"") ? JsonText.decode(instance) : "";
        } catch (BridgeException | IllegalArgumentException unreadable) {
            return "";
        }
    }

    private static Map<String, String> members(@Nullable String raw) {
        return raw != null && raw.startsWith("{") ? Json.rawMembers(raw) : Map.of();
    }

    /** Whether the server says that it has this, such as {@code prompts}. */
    public boolean declares(String capability) {
        if (!capabilities.startsWith("{")) {
            return false;
        }
        var said = Json.rawMembers(capabilities).getOrDefault(capability, "false");
        return !said.equals("false") && !said.equals("null");
    }
}
