package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;

/**
 * A resource, a resource template or a prompt as its server lists it.
 *
 * @param key its URI, URI template or name
 * @param json the whole element, byte for byte
 */
public record ListItem(String key, String json) {

    /**
     * Reads one element of a list.
     *
     * @param member the member with its key, such as {@code uri}
     * @throws ProtocolException if it is not an object with such a key
     */
    static ListItem parse(String member, String json) {
        var raw = JsonCodec.rawMembers(json).getOrDefault(member, "");
        if (!raw.startsWith("\"") || raw.length() < 3) {
            throw ProtocolException.upstreamInvalid("an element of a list needs a '%s' that is a text, but has %s"
                    .formatted(member, raw.isEmpty() ? "none" : raw));
        }
        return new ListItem(JsonStrings.decode(raw), json);
    }

    /** The same element under another key; its other members stay as they are. */
    ListItem withKey(String member, String newKey) {
        var members = JsonCodec.rawMembers(json);
        members.put(member, JsonStrings.quote(newKey));
        return new ListItem(newKey, JsonCodec.object(members));
    }
}
