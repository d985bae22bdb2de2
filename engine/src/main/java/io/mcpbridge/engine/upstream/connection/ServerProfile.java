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
 * @param info its name, version and other members of {@code serverInfo}, a raw JSON object
 * @param instructions for the client's model, or the empty string
 */
public record ServerProfile(
        ProtocolVersion version,
        String name,
        String serverVersion,
        String capabilities,
        String info,
        String instructions) {
    /** The experimental capability of a server that runs calls with one idempotency key once. */
    public static final String KEEPS_OUTCOMES = "io.mcpbridge/idempotency";

    /**
     * The most characters of instructions, and of the info. Longer ones are left out, since a client that receives those
     * of all servers must be able to read the message.
     */
    static final int MAX_TEXT = 1 << 16;

    /** Reads the result of {@code initialize} or {@code server/discover}, whose {@code info} is where the era has it. */
    static ServerProfile of(ProtocolVersion version, Map<String, String> info, Map<String, String> result) {
        var capabilities = result.getOrDefault("capabilities", "{}");
        var object = JsonCodec.object(info);
        return new ServerProfile(
                version,
                text(info, "name"),
                text(info, "version"),
                capabilities.startsWith("{") ? capabilities : "{}",
                object.length() <= MAX_TEXT ? object : "{}",
                JsonCodec.text(result.getOrDefault("instructions", ""))
                        .filter(text -> text.length() <= MAX_TEXT)
                        .orElse(""));
    }

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
        var declared = members(capabilities).getOrDefault(capability, "false");
        return !declared.equals("false") && !declared.equals("null");
    }

    /** Whether the server declares a feature of a capability, such as {@code subscribe} of {@code resources}. */
    public boolean declares(String capability, String feature) {
        return "true".equals(members(members(capabilities).get(capability)).get(feature));
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
