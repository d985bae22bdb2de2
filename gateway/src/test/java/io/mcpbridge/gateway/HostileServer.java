package io.mcpbridge.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A legacy server with lists of arbitrary bytes, over a Unix socket, HTTP or standard streams. Its texts are bytes, one
 * per character; {@code @id} in a response stands for the id of the request. All other requests are answered normally.
 */
final class HostileServer implements Closeable {
    /** The transport. */
    enum Way {
        UNIX,
        HTTP,
        EVENTS,
        CHILD
    }

    private static final String INTRODUCTION = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},"
            + "\"prompts\":{},\"resources\":{}},\"serverInfo\":{\"name\":\"h\",\"version\":\"1\"}}";

    private final Path file;
    private final Way way;
    private final List<Closeable> open = new CopyOnWriteArrayList<>();
    private String section = "";

    /** @param file the file of the responses, which need not exist yet */
    HostileServer(Way way, Path file) throws IOException {
        this.way = way;
        this.file = file;
        lists(Methods.TOOLS_LIST, "");
        switch (way) {
            case UNIX -> listen(file.resolveSibling(file.getFileName() + ".sock"));
            case HTTP, EVENTS -> http();
            case CHILD ->
                section = DaemonFixture.childSection("unused")
                        .replace(ToolScript.class.getName(), HostileServer.class.getName())
                        .replace("\"unused\"", "\"%s\"".formatted(file));
        }
    }

    /** Standard streams; the argument is the file with the answers. */
    public static void main(String[] arguments) throws IOException {
        serve(Path.of(arguments[0]), System.in, System.out);
    }

    /** Its section of a configuration. */
    String section() {
        return section;
    }

    /** Sets the complete response to list requests. */
    void lists(String method, String answer) throws IOException {
        Files.write(place(file, method), answer.getBytes(ISO_8859_1));
    }

    private static Path place(Path file, String method) {
        return file.resolveSibling(file.getFileName() + "." + method.replace('/', '-'));
    }

    private static byte[] answer(Path file, Request request) throws IOException {
        var place = place(file, request.method());
        if (Files.exists(place)) {
            return Files.readString(place, ISO_8859_1)
                    .replace("@id", request.id().raw())
                    .getBytes(ISO_8859_1);
        }
        var said = switch (request.method()) {
            case Methods.INITIALIZE -> "\"result\":" + INTRODUCTION;
            case Methods.TOOLS_CALL -> "\"result\":{\"content\":[]}";
            default -> "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
        };
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}"
                .formatted(request.id().raw(), said)
                .getBytes(ISO_8859_1);
    }

    private static void serve(Path file, InputStream in, OutputStream out) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(in, ISO_8859_1));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (Message.scan(line.getBytes(ISO_8859_1), Limits.SERVER) instanceof Request request) {
                out.write(answer(file, request));
                out.write('\n');
                out.flush();
            }
        }
    }

    private void listen(Path path) throws IOException {
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        section = "{\"path\": \"%s\"}".formatted(path);
        open.add(() -> Files.deleteIfExists(path));
        open.add(server);
        begin(() -> {
            while (true) {
                var connection = server.accept();
                open.add(connection);
                begin(() -> serve(file, Channels.newInputStream(connection), new FullWrites(connection)));
            }
        });
    }

    private void http() throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/mcp", this::handle);
        server.start();
        section = "{\"url\": \"http://127.0.0.1:%d/mcp\"}"
                .formatted(server.getAddress().getPort());
        open.add(() -> server.stop(0));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
            } else if (Message.scan(body, Limits.SERVER) instanceof Request request) {
                var answer = new String(answer(file, request), ISO_8859_1);
                var isStream = way == Way.EVENTS;
                exchange.getResponseHeaders().set("Content-Type", isStream ? "text/event-stream" : "application/json");
                var shown = (isStream ? "data: %s\n\n".formatted(answer) : answer).getBytes(ISO_8859_1);
                exchange.sendResponseHeaders(200, shown.length);
                exchange.getResponseBody().write(shown);
            } else {
                exchange.sendResponseHeaders(202, -1);
            }
        }
    }

    /** The work of a thread until its channel is closed. */
    private interface Work {

        void run() throws IOException;
    }

    private static void begin(Work work) {
        var thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // The test has ended.
                    }
                },
                "test-hostile-server");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        for (var each : open) {
            each.close();
        }
    }
}
