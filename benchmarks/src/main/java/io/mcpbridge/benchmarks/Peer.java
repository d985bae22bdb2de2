package io.mcpbridge.benchmarks;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.message.FrameSplitter;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
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
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The processes of the benchmarks: a socket that echoes bytes, a small MCP server with one tool {@code echo} on sockets
 * or standard streams, one that never answers calls, one with many tools, and a daemon. Each ends with its standard
 * input.
 */
final class Peer {
    private static final String INITIALIZED = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
            + "\"serverInfo\":{\"name\":\"echo\",\"version\":\"1\"}}";
    private static final String TOOLS =
            "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}}]}";
    private static final int ROOM = 64 << 10;

    private Peer() {}

    /**
     * The first argument is {@code bytes}, {@code unix}, {@code hanging}, {@code tools}, {@code stdio} or {@code daemon}; sockets
     * follow, or the configuration of the daemon.
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
            case "daemon" -> daemon(args[1]);
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

    private static void daemon(String json) throws IOException {
        var configuration = BridgeConfiguration.parse(json, Path.of(""), Map.of());
        var daemon = Daemon.start(configuration, DaemonOptions.DEFAULTS);
        try {
            awaitEndOfInput();
        } finally {
            daemon.close();
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
            case Methods.TOOLS_CALL ->
                "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"isError\":false}"
                        .formatted(JsonStrings.quote(
                                request.raw(MessageField.ARGUMENTS).orElse("")));
            default -> "{}";
        };
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
