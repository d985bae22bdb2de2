package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.FrameSplitter;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
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
 * The processes of the benchmarks: a socket or a pipe that echoes bytes, a relay to another socket, a small MCP server whose tools
 * repeat their arguments on sockets or standard streams, one that never answers calls, one with many tools, and our own
 * server over HTTP. Each ends with its standard input.
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
    private static final FileChannel STANDARD_INPUT = new FileInputStream(FileDescriptor.in).getChannel();
    private static final FileChannel STANDARD_OUTPUT = new FileOutputStream(FileDescriptor.out).getChannel();

    private Peer() {}

    /**
     * The first argument is a case below; sockets follow, or the file for the port. A relay passes on to the socket of the
     * peer {@code tool}.
     */
    public static void main(String[] args) throws Exception {
        var more = Stream.of(args).skip(1);
        switch (args[0]) {
            case "bytes" -> listen(more, channel -> repeat(channel, channel));
            case "tcp" -> tcp(Path.of(args[1]));
            case "pipe" -> repeat(STANDARD_INPUT, STANDARD_OUTPUT);
            case "relay" -> relay(Path.of(args[1]));
            case "unix" -> listen(more, channel -> serve(channel, new Echo(channel, request -> true)));
            case "hanging" -> listen(more, channel -> serve(channel, new Echo(channel, Peer::isNoToolCall)));
            case "tools" -> listen(more, ManyTools::serve);
            case "stdio" -> serve(STANDARD_INPUT, new Echo(STANDARD_OUTPUT, request -> true));
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
            accept(bound(Path.of(socket)), connected);
        }
        awaitEndOfInput();
    }

    private static void accept(ServerSocketChannel server, Connected connected) {
        background(() -> {
            while (true) {
                var channel = server.accept();
                background(() -> connected.accept(channel));
            }
        });
    }

    private static ServerSocketChannel bound(Path socket) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    /** Repeats bytes over TCP and writes the port to a file. */
    private static void tcp(Path file) throws IOException {
        var server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        accept(server, channel -> repeat(channel, channel));
        publish(server.socket().getLocalPort(), file);
        awaitEndOfInput();
    }

    private static void publish(int port, Path file) throws IOException {
        Files.move(Files.writeString(file.resolveSibling("port"), Integer.toString(port)), file);
    }

    private static void relay(Path front) throws IOException {
        background(new Relay(front.resolveSibling("tool.sock"), bound(front))::run);
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
            publish(server.addresses().get(0).getPort(), file);
            awaitEndOfInput();
        }
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // Only the end of the input matters.
        }
    }

    private static void repeat(ReadableByteChannel in, GatheringByteChannel out) throws IOException {
        var bytes = ByteBuffer.allocateDirect(ROOM);
        while (in.read(bytes) >= 0) {
            Payload.write(out, bytes.flip());
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

    static void send(WritableByteChannel out, Message message) {
        try {
            Payload.write(out, message.json() + "\n");
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** What runs in the background until its peer disconnects. */
    interface Background {
        void run() throws IOException;
    }

    /** Starts a thread that does not keep the process alive. */
    static Thread background(Background work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | UncheckedIOException ended) {
                // The peer has disconnected.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Answers the requests of one connection; a call with its arguments as text, and the bytes that they order. */
    private static final class Echo implements Consumer<Message> {
        private static final String END = "\"}],\"isError\":false}}";

        private final GatheringByteChannel out;
        private final Predicate<Request> answered;
        /** The end of the last answer, ready to be written again: making a MiB costs more than passing it on. */
        private ByteBuffer tail = tail(0);

        Echo(GatheringByteChannel out, Predicate<Request> answered) {
            this.out = out;
            this.answered = answered;
        }

        private static ByteBuffer tail(int ordered) {
            var bytes = ("x".repeat(ordered) + END + "\n").getBytes(US_ASCII);
            return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        }

        @Override
        public void accept(Message message) {
            if (!(message instanceof Request request) || !answered.test(request)) {
                return;
            }
            switch (request.method()) {
                case Methods.INITIALIZE -> send(out, Response.result(request.id(), INITIALIZED));
                case Methods.TOOLS_LIST -> send(out, Response.result(request.id(), TOOLS));
                case Methods.TOOLS_CALL ->
                    echo(request.id(), request.raw(MessageField.ARGUMENTS).orElse(""));
                default -> send(out, Response.result(request.id(), "{}"));
            }
        }

        private void echo(MessageId id, String arguments) {
            var ordered = arguments.startsWith(ORDER)
                    ? Integer.parseInt(arguments.substring(ORDER.length(), arguments.indexOf(',')))
                    : 0;
            if (tail.limit() != ordered + END.length() + 1) {
                tail = tail(ordered);
            }
            var answer = Response.result(
                            id,
                            "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"isError\":false}"
                                    .formatted(JsonStrings.quote(arguments)))
                    .json();
            try {
                var head = answer.substring(0, answer.length() - END.length()).getBytes(UTF_8);
                Payload.write(out, ByteBuffer.wrap(head), tail.rewind());
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }
    }
}
