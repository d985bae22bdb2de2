package io.mcpbridge.upstream.introduction;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.ProtocolVersion;

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

    /** Whether the server says that it has this, such as {@code prompts}. */
    public boolean declares(String capability) {
        if (!capabilities.startsWith("{")) {
            return false;
        }
        var said = Json.rawMembers(capabilities).getOrDefault(capability, "false");
        return !said.equals("false") && !said.equals("null");
    }
}
