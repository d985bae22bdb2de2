package io.mcpbridge.tool;

import java.util.List;
import java.util.Map;

/**
 * One block of a tool's result, a prompt, or a message to or from a language model. A block of a kind that is not known
 * here is {@link Other} and keeps all its members.
 */
public sealed interface Content {

    /** The {@code type} member. */
    String type();

    /** The block as JSON; of a block that came from a server, with the members that its record has. */
    default Json json() {
        return Json.of(Blocks.members(this));
    }

    /** Reads a block, or an array of blocks. What is no object is left out. */
    static List<Content> listFrom(Json blocks) {
        return Blocks.contents(blocks.value() instanceof Map<?, ?> block ? List.of(block) : blocks.value());
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

    /** An embedded resource, a link, or a later kind, with all its members as plain values. */
    record Other(String type, Map<String, Object> members) implements Content {}
}
