package io.mcpbridge.peers;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.DefaultServerTransportSecurityValidator;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.ServerHttpHeaderValidator;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Servers made with the official Java SDK, over Streamable HTTP, in Tomcat and in this process. */
public final class SdkHttpServer {
    /** The key, in the context of a call, of the stream that its response is written to. */
    public static final String STREAM = "stream";

    /** Kept, since a logger without references forgets its level. */
    private static final Logger TOMCAT_LOGGER = Logger.getLogger("org.apache");

    private SdkHttpServer() {}

    /** Starts one with {@link SdkTools}. */
    static HttpServer start() {
        return start(
                UnaryOperator.identity(),
                transport -> McpServer.sync(transport)
                        .serverInfo(SdkTools.SERVER, "1.0")
                        .capabilities(SdkTools.capabilities())
                        .tools(SdkTools.all())
                        .build());
    }

    /**
     * Starts the one that {@code build} makes; only requests to and from this machine reach it.
     *
     * @param streams makes the stream of each response from the one of Tomcat
     */
    public static HttpServer start(
            UnaryOperator<OutputStream> streams,
            Function<HttpServletStreamableServerTransportProvider, McpSyncServer> build) {
        TOMCAT_LOGGER.setLevel(Level.SEVERE);
        var transport = HttpServletStreamableServerTransportProvider.builder()
                .mcpEndpoint("/mcp")
                .httpHeaderValidator(onlyThisMachine())
                .contextExtractor(request -> McpTransportContext.create(Map.of(STREAM, request.getAttribute(STREAM))))
                .build();
        var server = build.apply(transport);
        try {
            var folder = Files.createTempDirectory("tomcat");
            var tomcat = tomcat(folder, new Streams(streams, transport));
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

    private static Tomcat tomcat(Path folder, Servlet servlet) throws LifecycleException {
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

    /** Lets the servlet of the SDK write its responses to other streams. */
    private static final class Streams extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient UnaryOperator<OutputStream> streams;
        private final transient HttpServlet sdk;

        private Streams(UnaryOperator<OutputStream> streams, HttpServlet sdk) {
            this.streams = streams;
            this.sdk = sdk;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            var stream = streams.apply(response.getOutputStream());
            var writer = new PrintWriter(stream, false, StandardCharsets.UTF_8);
            request.setAttribute(STREAM, stream);
            sdk.service(request, new HttpServletResponseWrapper(response) {
                @Override
                public PrintWriter getWriter() {
                    return writer;
                }
            });
            writer.flush();
        }

        @Override
        public void destroy() {
            sdk.destroy();
        }
    }
}
