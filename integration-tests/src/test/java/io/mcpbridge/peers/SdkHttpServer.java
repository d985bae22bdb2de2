package io.mcpbridge.peers;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.DefaultServerTransportSecurityValidator;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.ServerHttpHeaderValidator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Servers made with the official Java SDK, over Streamable HTTP, in Tomcat and in this process. */
public final class SdkHttpServer {
    /** Kept, since a logger without references forgets its level. */
    private static final Logger TOMCAT_LOGGER = Logger.getLogger("org.apache");

    private SdkHttpServer() {}

    /** Starts one with {@link SdkTools}. */
    static HttpServer start() {
        return start(transport -> McpServer.sync(transport)
                .serverInfo(SdkTools.SERVER, "1.0")
                .capabilities(SdkTools.capabilities())
                .tools(SdkTools.all())
                .build());
    }

    /** Starts the one that {@code build} makes; only requests to and from this machine reach it. */
    public static HttpServer start(Function<HttpServletStreamableServerTransportProvider, McpSyncServer> build) {
        TOMCAT_LOGGER.setLevel(Level.SEVERE);
        var transport = HttpServletStreamableServerTransportProvider.builder()
                .mcpEndpoint("/mcp")
                .httpHeaderValidator(onlyThisMachine())
                .build();
        var server = build.apply(transport);
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

    private static ServerHttpHeaderValidator onlyThisMachine() {
        return DefaultServerTransportSecurityValidator.builder()
                .allowedHosts(List.of("127.0.0.1:*", "localhost:*"))
                .allowedOrigins(List.of("http://127.0.0.1:*", "http://localhost:*"))
                .build();
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
