package io.mcpbridge.tool;

import java.util.List;
import java.util.Map;

/**
 * One content block of a tool's result, a prompt, or a message to or from a language model. A block of an unknown type
 * is an {@link Other} with all its members.
 */
public sealed interface Content permits Content.Text, Content.Image, Content.Audio, Content.Other {

    /** The {@code type} member. */
    String type();

    /** The block as JSON; for a block from a server, only with the members of its record. */
    default Json json() {
        return Json.of(ContentCodec.members(this));
    }

    /** Reads a block, or an array of blocks. Skips elements that are not objects. */
    static List<Content> listFrom(Json blocks) {
        return ContentCodec.contents(blocks.value() instanceof Map<?, ?> block ? List.of(block) : blocks.value());
    }

    /** A link to a resource that the client may read, with a name for people. */
    static Content resourceLink(String uri, String name) {
        return new Other("resource_link", ContentCodec.ordered("type", "resource_link", "uri", uri, "name", name));
    }

    record Text(String text) implements Content {
        @Override
        public String type() {
            return "text";
        }
    }

    /** Base64 as the server sent it, and its media type. */
    record Image(String data, String mimeType) implements Content {
        @Override
        public String type() {
            return "image";
        }
    }

    /** Base64 as the server sent it, and its media type. */
    record Audio(String data, String mimeType) implements Content {
        @Override
        public String type() {
            return "audio";
        }
    }

    /** An embedded resource, a link, or a block of a later type, with all its members as plain values. */
    record Other(String type, Map<String, Object> members) implements Content {}
}
