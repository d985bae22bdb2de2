package io.mcpbridge.upstream.lists;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;

/**
 * A resource, a resource template or a prompt as its server lists it.
 *
 * @param key what it is asked for by: its URI, its URI template or its name
 * @param json the whole element, byte for byte
 */
public record ListItem(String key, String json) {

    /**
     * Reads one element of a list.
     *
     * @param member where its key stands, such as {@code uri}
     * @throws ProtocolException if it is not an object with such a key
     */
    static ListItem parse(String member, String json) {
        var raw = Json.rawMembers(json).getOrDefault(member, "");
        if (!raw.startsWith("\"") || raw.length() < 3) {
            throw ProtocolException.upstreamInvalid("an element of a list needs a '%s' that is a text, but has %s"
                    .formatted(member, raw.isEmpty() ? "none" : raw));
        }
        return new ListItem(JsonText.decode(raw), json);
    }

    /** The same element under another key; its other members stay as they are. */
    ListItem withKey(String member, String newKey) {
        var members = Json.rawMembers(json);
        members.put(member, JsonText.quote(newKey));
        return new ListItem(newKey, Json.object(members));
    }
}
