package io.mcpbridge.conformance;

import io.mcpbridge.peers.ChildServer;
import io.mcpbridge.peers.HttpServer;
import io.mcpbridge.peers.JavaCommand;
import io.mcpbridge.peers.SdkHttpServer;
import io.mcpbridge.peers.UnixServer;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServer.SyncSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A server made with the official Java SDK that offers what the suite requires.
 *
 * <p>It speaks revisions up to 2025-11-25 only. Features of newer servers it provides as an older one can: if input is
 * required it sends a request to the client, which only a bridge in front of it turns into an {@code input_required}.
 */
public final class LegacyFixture {
    private LegacyFixture() {}

    /** Starts it in this process, over Streamable HTTP. */
    public static HttpServer http() {
        return SdkHttpServer.start(
                LinesTogether::ofEvents,
                transport -> build(McpServer.sync(transport), AskingTools.all(client ->
                        (LinesTogether) client.transportContext().get(SdkHttpServer.STREAM))));
    }

    /** The same server over standard streams. */
    public static ChildServer stdio() {
        return new ChildServer(JavaCommand.of(LegacyFixture.class.getName()));
    }

    /** The same server at a Unix socket in {@code folder}, in this process; each connection has one of its own. */
    public static UnixServer unix(Path folder) {
        var path = folder.resolve("fixture.sock");
        var listener = UnixListener.start(path, LegacyFixture::serve);
        return new UnixServer(path, listener::close);
    }

    /** Serves over standard streams and returns; the threads of the SDK keep running. */
    public static void main(String[] arguments) {
        serve(System.in, System.out);
    }

    private static McpSyncServer serve(InputStream input, OutputStream output) {
        var lines = LinesTogether.ofLines(output);
        var transport = new StdioServerTransportProvider(McpJsonDefaults.getMapper(), input, lines);
        return build(McpServer.sync(transport), AskingTools.all(client -> lines));
    }

    private static McpSyncServer build(SyncSpecification<?> specification, List<SyncToolSpecification> askingTools) {
        var changes = new ListChanges();
        var server = specification
                .serverInfo("legacy-fixture", "1.0")
                .capabilities(capabilities())
                // Behind a bridge the client may take its time.
                .requestTimeout(Duration.ofMinutes(1))
                .tools(ContentTools.all())
                .tools(askingTools)
                .tools(changes.tools())
                .tools(new WaitingTools().tools())
                .prompts(FixturePrompts.all())
                .completions(FixturePrompts.completion())
                .resources(FixtureResources.all())
                .resourceTemplates(FixtureResources.template())
                .build();
        changes.of(server);
        return server;
    }

    private static ServerCapabilities capabilities() {
        return ServerCapabilities.builder()
                .tools(true)
                .prompts(true)
                .resources(true, true)
                .completions()
                .logging()
                .build();
    }
}
