package io.mcpbridge.tool;

import io.mcpbridge.failure.ProtocolException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The definition of a resource, as its server sent it.
 *
 * @param json the whole definition; an object with a URI
 */
public record Resource(Json json) {

    /**
     * Wraps one element of {@code resources/list}.
     *
     * @throws ProtocolException if it has no URI
     */
    public Resource {
        json.requireString("a resource", "uri");
    }

    /** The URI for {@code resources/read}, as its server wrote it. */
    public String uri() {
        return json.string("uri").orElseThrow();
    }

    /** The name, or the empty string. */
    public String name() {
        return json.string("name").orElse("");
    }

    /** The name for people. */
    public Optional<String> title() {
        return json.string("title");
    }

    public Optional<String> description() {
        return json.string("description");
    }

    public Optional<String> mimeType() {
        return json.string("mimeType");
    }

    /** The size of its contents in bytes. */
    public OptionalLong size() {
        return json.longNumber("size");
    }

    /**
     * A set of resources whose URIs follow a template.
     *
     * @param json the whole definition; an object with a URI template
     */
    public record Template(Json json) {

        /**
         * Wraps one element of {@code resources/templates/list}.
         *
         * @throws ProtocolException if it has no URI template
         */
        public Template {
            json.requireString("a resource template", "uriTemplate");
        }

        /** The template, in the form of RFC 6570. */
        public String uriTemplate() {
            return json.string("uriTemplate").orElseThrow();
        }

        /** The name, or the empty string. */
        public String name() {
            return json.string("name").orElse("");
        }

        /** The name for people. */
        public Optional<String> title() {
            return json.string("title");
        }

        public Optional<String> description() {
            return json.string("description");
        }

        /** The media type of all its resources. */
        public Optional<String> mimeType() {
            return json.string("mimeType");
        }
    }

    /**
     * The contents that a server returned for a resource.
     *
     * @param contents in the server's order
     * @param json the whole result
     */
    public record ReadResult(List<Contents> contents, Json json) {
        public ReadResult {
            contents = List.copyOf(contents);
        }

        /**
         * Reads the {@code result} of {@code resources/read}.
         *
         * @throws ProtocolException if it is not an object
         */
        public static ReadResult parse(String json) {
            var result = Json.parse(json);
            if (!(result.value() instanceof Map<?, ?> members)) {
                throw ProtocolException.upstreamInvalid("the result of 'resources/read' must be an object");
            }
            var contents = ContentCodec.objects(members.get("contents"))
                    .map(ReadResult::contents)
                    .toList();
            return new ReadResult(contents, result);
        }

        private static Contents contents(Map<?, ?> members) {
            var uri = ContentCodec.word(members, "uri");
            var mimeType = ContentCodec.word(members, "mimeType");
            return members.get("blob") instanceof String data
                    ? new Contents.Blob(uri, mimeType, data)
                    : new Contents.Text(uri, mimeType, ContentCodec.word(members, "text"));
        }

        /** The text contents, joined by line ends. */
        public String text() {
            return contents.stream()
                    .filter(Contents.Text.class::isInstance)
                    .map(part -> ((Contents.Text) part).text())
                    .collect(Collectors.joining("\n"));
        }
    }

    /** One part of the contents of a resource. Its URI may identify that part only. */
    public sealed interface Contents permits Contents.Text, Contents.Blob {

        String uri();

        /** The media type, or the empty string if the server names none. */
        String mimeType();

        record Text(String uri, String mimeType, String text) implements Contents {}

        /** Base64 as the server sent it. */
        record Blob(String uri, String mimeType, String data) implements Contents {}
    }
}
