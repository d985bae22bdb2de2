package io.mcpbridge.conformance;

import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;

/** Small pieces of content. */
final class Samples {
    /** One red dot. */
    static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";

    /** Four samples of silence. */
    private static final String WAV = "UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA";

    private Samples() {}

    static TextContent text(String text) {
        return TextContent.builder(text).build();
    }

    static ImageContent image() {
        return ImageContent.builder(PNG, "image/png").build();
    }

    static AudioContent audio() {
        return AudioContent.builder(WAV, "audio/wav").build();
    }

    static EmbeddedResource embedded(String uri, String mimeType, String text) {
        return EmbeddedResource.builder(TextResourceContents.builder(uri, text)
                        .mimeType(mimeType)
                        .build())
                .build();
    }
}
