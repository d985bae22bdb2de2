package io.mcpbridge.peers;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** A server made with the official Java SDK, over Streamable HTTP, in Tomcat and in this process. */
final class SdkHttpServer {
    /** Kept, since a logger that nobody keeps forgets its level. */
    private static final Logger TOMCAT_LOGGER = Logger.getLogger("org.apache");

    private SdkHttpServer() {}

    static HttpServer start() {
        TOMCAT_LOGGER.setLevel(Level.SEVERE);
        var transport = HttpServletStreamableServerTransportProvider.builder()
                .mcpEndpoint("/mcp")
                .build();
        var server = McpServer.sync(transport)
                .serverInfo(SdkTools.SERVER, "1.0")
                .capabilities(SdkTools.capabilities())
                .tools(SdkTools.all())
                .build();
        try {
            var folder = Files.createTempDirectory("tomcat");
            var tomcat = tomcat(folder, transport);
            var uri = URI.create(
                    "http://127.0.0.1:%d/mcp".formatted(tomcat.getConnector().getLocalPort()));
            return new HttpServer(uri, () -> end(server, tomcat, folder));
        } catch (IOException noFolder) {
            throw new UncheckedIOException(noFolder);
        } catch (LifecycleException cannotStart) {
            throw new IllegalStateException("Tomcat does not start", cannotStart);
        }
    }

    private static Tomcat tomcat(Path folder, HttpServletStreamableServerTransportProvider servlet)
            throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "mcp", servlet).setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "mcp");
        tomcat.start();
        return tomcat;
    }

    private static void end(McpSyncServer server, Tomcat tomcat, Path folder) {
        server.closeGracefully();
        try {
            tomcat.stop();
            tomcat.destroy();
            TestDaemon.delete(folder);
        } catch (LifecycleException cannotEnd) {
            throw new IllegalStateException("Tomcat does not end", cannotEnd);
        } catch (IOException undeletable) {
            throw new UncheckedIOException(undeletable);
        }
    }
}
