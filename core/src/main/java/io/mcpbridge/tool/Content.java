package io.mcpbridge.tool;

import java.util.Map;

/**
 * One block of a tool's result. A block of a kind that is not known here is {@link Other} and keeps everything.
 */
public sealed interface Content {

    /** The {@code type} member. */
    String type();

    record Text(String text) implements Content {
        @Override
        public String type() {
            return "text";
        }
    }

    /** Base64 as it came, and its media type. */
    record Image(String data, String mimeType) implements Content {
        @Override
        public String type() {
            return "image";
        }
    }

    /** Base64 as it came, and its media type. */
    record Audio(String data, String mimeType) implements Content {
        @Override
        public String type() {
            return "audio";
        }
    }

    /** An embedded resource, a link, or a kind that came later, with all its members as plain values. */
    record Other(String type, Map<String, Object> members) implements Content {}
}
