package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Resources, templates, prompts and completions of two {@code server-everything}, which list the same URIs, and of a
 * third that was killed before the first request.
 */
@RequiresPeers
@Timeout(90)
class AggregationTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon()
            .server("everything", NodePeers::everything)
            .server("second", HttpServer::everything)
            .server("killed", AggregationTest::killed);

    private static HttpServer killed() {
        var server = HttpServer.everything();
        server.close();
        return server;
    }

    @Test
    void typeScriptClientOverHttpSeesEverything() throws InterruptedException {
        assertSeen(
                NodePeers.script("lists-v1.mjs", "http", DAEMON.http().toString()),
                "\"unknown\":{\"code\":-32002,\"uri\":\"file:///etc/passwd\"}");
    }

    @Test
    void typeScriptClientOverConnectSeesEverything() throws InterruptedException {
        var command = new ArrayList<>(NodePeers.script("lists-v1.mjs", "stdio"));
        command.addAll(JavaCommand.mcpBridge(
                "connect", "--mcp-bridge-socket", DAEMON.socket().toString()));

        assertSeen(command, "\"unknown\":{\"code\":-32002,\"uri\":\"file:///etc/passwd\"}");
    }

    @Test
    void modernTypeScriptClientSeesEverything() throws InterruptedException {
        assertSeen(
                NodePeers.script("lists-v2.mjs", "http", DAEMON.http().toString()),
                "\"unknown\":{\"code\":-32602,\"uri\":\"file:///etc/passwd\"}");
    }

    private static void assertSeen(List<String> command, String refusal) throws InterruptedException {
        try (var program = Program.start(command)) {
            assertThat(program.awaitOutput())
                    .contains(
                            "\"resources\":{\"subscribe\":true,\"listChanged\":true}",
                            "\"completions\":{}",
                            "\"demo://resource/static/document/features.md\"",
                            "\"templates\":[\"demo://resource/dynamic/text/{resourceId}\",\"demo://resource/dynamic/blob/{resourceId}\"]",
                            "\"everything__args-prompt\"",
                            "\"second__args-prompt\"",
                            "\"dynamic\":\"Resource 7: This is a plaintext resource",
                            refusal,
                            "\"prompt\":\"What's weather in Köln?\"",
                            "\"department\":[\"Engineering\"]",
                            "\"leader\":[\"David\",\"Eve\",\"Frank\"]",
                            "\"id\":[\"7\"]",
                            "\"notifications/resources/list_changed\"]",
                            "\"added\":1")
                    .doesNotContain("killed__");
        }
    }

    @Test
    void typeScriptClientReceivesResourceUpdates() throws InterruptedException {
        var command = NodePeers.script("subscribe-v1.mjs", DAEMON.http().toString());

        try (var program = Program.start(command)) {
            assertThat(program.awaitOutput()).contains("{\"updated\":\"demo://resource/dynamic/text/9\"}");
        }
    }

    @Test
    void javaClientOverHttpSeesEverything() {
        try (var client = SdkClient.connect("ann", SdkClient.http(DAEMON.http()))) {
            var uris = client.sdk.listResources().resources().stream()
                    .map(Resource::uri)
                    .toList();
            var prompts = client.sdk.listPrompts().prompts().stream()
                    .map(Prompt::name)
                    .toList();
            var read = client.sdk.readResource(ReadResourceRequest.builder("demo://resource/dynamic/text/3")
                    .build());
            var completed = client.sdk.completeCompletion(CompleteRequest.builder(
                            PromptReference.builder("second__completable-prompt")
                                    .build(),
                            new CompleteRequest.CompleteArgument("department", "S"))
                    .build());

            assertThat(uris)
                    .contains("demo://resource/static/document/features.md")
                    .doesNotHaveDuplicates();
            assertThat(client.sdk.listResourceTemplates().resourceTemplates()).hasSize(2);
            assertThat(prompts).contains("everything__simple-prompt", "second__simple-prompt");
            assertThat(read.contents().get(0))
                    .isInstanceOfSatisfying(
                            TextResourceContents.class,
                            text -> assertThat(text.text()).startsWith("Resource 3:"));
            assertThat(completed.completion().values()).containsExactly("Sales", "Support");
        }
    }
}
