package io.mcpbridge.conformance;

import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.List;

/** The resources of {@link LegacyFixture}. */
final class FixtureResources {
    private static final String TEMPLATE = "test://template/{id}/data";

    private FixtureResources() {}

    static List<SyncResourceSpecification> all() {
        return List.of(
                resource(text("test://static-text", "This is the content of the static text resource.")),
                resource(BlobResourceContents.builder("test://static-binary", Samples.PNG)
                        .mimeType("image/png")
                        .build()),
                resource(text("test://watched-resource", "Watched.")));
    }

    private static ResourceContents text(String uri, String text) {
        return TextResourceContents.builder(uri, text).mimeType("text/plain").build();
    }

    private static SyncResourceSpecification resource(ResourceContents contents) {
        var resource = Resource.builder(contents.uri(), contents.uri().substring("test://".length()))
                .description("A resource of the conformance suite.")
                .mimeType(contents.mimeType())
                .build();
        return new SyncResourceSpecification(resource, (client, request) -> of(contents));
    }

    static SyncResourceTemplateSpecification template() {
        var template = ResourceTemplate.builder(TEMPLATE, "template")
                .description("A template of the conformance suite.")
                .mimeType("application/json")
                .build();
        return new SyncResourceTemplateSpecification(template, (client, request) -> of(data(request.uri())));
    }

    private static ResourceContents data(String uri) {
        var id = uri.substring(TEMPLATE.indexOf('{'), uri.lastIndexOf('/'));
        return TextResourceContents.builder(uri, "{\"id\":\"%s\",\"templateTest\":true}".formatted(id))
                .mimeType("application/json")
                .build();
    }

    private static ReadResourceResult of(ResourceContents contents) {
        return ReadResourceResult.builder(List.of(contents)).build();
    }
}
