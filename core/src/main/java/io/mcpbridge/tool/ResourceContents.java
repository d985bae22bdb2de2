package io.mcpbridge.tool;

/** One part of what was read of a resource; its URI may be that of a part of the resource. */
public sealed interface ResourceContents {

    String uri();

    /** The media type, or the empty string where the server names none. */
    String mimeType();

    record Text(String uri, String mimeType, String text) implements ResourceContents {}

    /** Base64 as it came. */
    record Blob(String uri, String mimeType, String data) implements ResourceContents {}
}
