package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.message.FrameReader;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
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

/**
 * The processes that are measured against: a socket that repeats bytes, a small MCP server with one tool {@code echo}
 * on a socket or its standard streams, and the daemon before such a server. All end with their input.
 */
final class Peer {
    private static final String INITIALIZED = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
            + "\"serverInfo\":{\"name\":\"echo\",\"version\":\"1\"}}";
    private static final String TOOLS =
            "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}}]}";
    private static final int ROOM = 64 << 10;

    private Peer() {}

    /** The first argument is {@code bytes}, {@code unix}, {@code stdio} or {@code daemon}; sockets follow. */
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "bytes" -> listen(Path.of(args[1]), Peer::repeat);
            case "unix" -> listen(Path.of(args[1]), channel -> serve(channel, channel));
            case "stdio" ->
                serve(
                        new FileInputStream(FileDescriptor.in).getChannel(),
                        new FileOutputStream(FileDescriptor.out).getChannel());
            case "daemon" -> daemon(Path.of(args[1]), Path.of(args[2]));
            default -> throw new IllegalArgumentException("there is no peer '%s'".formatted(args[0]));
        }
    }

    private interface Connected {
        void accept(SocketChannel channel) throws IOException;
    }

    /** Serves until standard input ends, which is when the benchmark does. */
    private static void listen(Path socket, Connected connected) throws IOException {
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            background(() -> {
                while (true) {
                    var channel = server.accept();
                    background(() -> connected.accept(channel));
                }
            });
            awaitEndOfInput();
        }
    }

    private static void daemon(Path front, Path back) throws IOException {
        var json =
                "{\"mcpServers\":{\"tool\":{\"type\":\"unix\",\"path\":%s}},\"bridge\":{\"keep-alive\":\"0s\",\"listen\":{\"unix\":{\"path\":%s}}}}"
                        .formatted(JsonText.quote(back.toString()), JsonText.quote(front.toString()));
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
            // Nobody writes; the end is what counts.
        }
    }

    private static void repeat(ByteChannel channel) throws IOException {
        var bytes = ByteBuffer.allocateDirect(ROOM);
        while (channel.read(bytes) >= 0) {
            write(channel, bytes.flip());
            bytes.clear();
        }
    }

    private static void serve(ReadableByteChannel in, WritableByteChannel out) throws IOException {
        var reader = new FrameReader(Limits.SERVER);
        var bytes = ByteBuffer.allocate(ROOM);
        while (in.read(bytes) >= 0) {
            reader.feed(bytes.flip(), frame -> answer(Message.scan(frame, Limits.CLIENT), out));
            bytes.clear();
        }
    }

    private static void answer(Message message, WritableByteChannel out) {
        if (message instanceof Request request) {
            var line = Response.result(request.id(), result(request)).json() + "\n";
            try {
                write(out, ByteBuffer.wrap(line.getBytes(UTF_8)));
            } catch (IOException gone) {
                throw new java.io.UncheckedIOException(gone);
            }
        }
    }

    private static String result(Request request) {
        return switch (request.method()) {
            case Methods.INITIALIZE -> INITIALIZED;
            case Methods.TOOLS_LIST -> TOOLS;
            case Methods.TOOLS_CALL ->
                "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"isError\":false}"
                        .formatted(JsonText.quote(request.raw(Part.ARGUMENTS).orElse("")));
            default -> "{}";
        };
    }

    private static void write(WritableByteChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void background(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | java.io.UncheckedIOException ended) {
                // The other side has gone, and so has the work.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
