package io.mcpbridge.benchmarks;

import io.mcpbridge.message.FrameSplitter;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processes of the benchmarks: a socket that echoes bytes, a small MCP server with one tool {@code echo} on sockets
 * or standard streams, one that never answers calls, and one with many tools. Each ends with its standard
 * input.
 */
final class Peer {
    private static final String INITIALIZED = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
            + "\"serverInfo\":{\"name\":\"echo\",\"version\":\"1\"}}";
    private static final String TOOLS = Stream.of("echo", "b", "c", "d", "e", "f", "g", "h", "i", "j")
            .map(
                    "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}}"
                            ::formatted)
            .collect(Collectors.joining(",", "{\"tools\":[", "]}"));
    /** Begins the arguments of {@link EchoCall#producing}. */
    private static final String ORDER = "{\"bytes\":";

    private static final int ROOM = 64 << 10;

    private Peer() {}

    /**
     * The first argument is {@code bytes}, {@code unix}, {@code hanging}, {@code tools}, {@code stdio} or {@code http}; sockets
     * follow, or the file for the port.
     */
    public static void main(String[] args) throws Exception {
        var more = Stream.of(args).skip(1);
        switch (args[0]) {
            case "bytes" -> listen(more, Peer::repeat);
            case "unix" -> listen(more, channel -> serve(channel, echoing(channel, request -> true)));
            case "hanging" -> listen(more, channel -> serve(channel, echoing(channel, Peer::isNoToolCall)));
            case "tools" -> listen(more, ManyTools::serve);
            case "stdio" ->
                serve(
                        new FileInputStream(FileDescriptor.in).getChannel(),
                        echoing(new FileOutputStream(FileDescriptor.out).getChannel(), request -> true));
            case "http" -> http(Path.of(args[1]));
            default -> throw new IllegalArgumentException("there is no peer '%s'".formatted(args[0]));
        }
    }

    private interface Connected {
        void accept(SocketChannel channel) throws IOException;
    }

    /** Serves until standard input ends, which is when the benchmark does. */
    private static void listen(Stream<String> sockets, Connected connected) throws IOException {
        for (var socket : sockets.toList()) {
            var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket));
            background(() -> {
                while (true) {
                    var channel = server.accept();
                    background(() -> connected.accept(channel));
                }
            });
        }
        awaitEndOfInput();
    }

    /** Serves the tool over HTTP and writes its port to a file. */
    private static void http(Path file) throws Exception {
        try (var server = ToolServer.create(ToolServerOptions.builder()
                .version("1")
                .listen("http", Settings.of(Map.of("port", 0)))
                .withoutGlobalHandlers()
                .build())) {
            server.registerTool(
                    "echo",
                    ToolConfig.of("{\"type\":\"object\"}"),
                    call -> call.arguments().get("text"));
            server.start();
            var port = Integer.toString(server.addresses().get(0).getPort());
            Files.move(Files.writeString(file.resolveSibling("port"), port), file);
            awaitEndOfInput();
        }
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // Only the end of the input matters.
        }
    }

    private static void repeat(ByteChannel channel) throws IOException {
        var bytes = ByteBuffer.allocateDirect(ROOM);
        while (channel.read(bytes) >= 0) {
            Payload.write(channel, bytes.flip());
            bytes.clear();
        }
    }

    private static boolean isNoToolCall(Request request) {
        return !request.method().equals(Methods.TOOLS_CALL);
    }

    /** Passes on each message until the end of the input. */
    static void serve(ReadableByteChannel in, Consumer<Message> receiver) throws IOException {
        var reader = new FrameSplitter(Limits.SERVER);
        var bytes = ByteBuffer.allocate(ROOM);
        while (in.read(bytes) >= 0) {
            reader.feed(bytes.flip(), frame -> receiver.accept(Message.scan(frame, Limits.CLIENT)));
            bytes.clear();
        }
    }

    private static Consumer<Message> echoing(WritableByteChannel out, Predicate<Request> answered) {
        return message -> {
            if (message instanceof Request request && answered.test(request)) {
                send(out, Response.result(request.id(), result(request)));
            }
        };
    }

    static void send(WritableByteChannel out, Message message) {
        try {
            Payload.write(out, message.json() + "\n");
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static String result(Request request) {
        return switch (request.method()) {
            case Methods.INITIALIZE -> INITIALIZED;
            case Methods.TOOLS_LIST -> TOOLS;
            case Methods.TOOLS_CALL -> echo(request.raw(MessageField.ARGUMENTS).orElse(""));
            default -> "{}";
        };
    }

    /** The arguments as text, followed by as many bytes as they order. */
    private static String echo(String arguments) {
        var ordered = arguments.startsWith(ORDER)
                ? Integer.parseInt(arguments.substring(ORDER.length(), arguments.indexOf(',')))
                : 0;
        return "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"isError\":false}"
                .formatted(JsonStrings.quote(arguments + "x".repeat(ordered)));
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void background(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | UncheckedIOException ended) {
                // The peer has disconnected.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
