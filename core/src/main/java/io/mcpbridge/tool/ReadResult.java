package io.mcpbridge.tool;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was read of a resource. Immutable.
 *
 * @param contents in the server's order
 * @param json the raw JSON of the result
 */
public record ReadResult(List<ResourceContents> contents, String json) {
    public ReadResult {
        contents = List.copyOf(contents);
    }

    /**
     * Reads the {@code result} of {@code resources/read}.
     *
     * @throws ProtocolException if it is not an object
     */
    public static ReadResult parse(String json) {
        if (!(Json.readPlain(json) instanceof Map<?, ?> members)) {
            throw ProtocolException.upstreamInvalid("the result of 'resources/read' must be an object");
        }
        return new ReadResult(
                Blocks.objects(members.get("contents"))
                        .map(ReadResult::contents)
                        .toList(),
                json);
    }

    /** The texts, joined by line ends. */
    public String text() {
        return contents.stream()
                .filter(ResourceContents.Text.class::isInstance)
                .map(part -> ((ResourceContents.Text) part).text())
                .collect(Collectors.joining("\n"));
    }

    private static ResourceContents contents(Map<?, ?> members) {
        var uri = Blocks.word(members, "uri");
        var mimeType = Blocks.word(members, "mimeType");
        return members.get("blob") instanceof String data
                ? new ResourceContents.Blob(uri, mimeType, data)
                : new ResourceContents.Text(uri, mimeType, Blocks.word(members, "text"));
    }
}
