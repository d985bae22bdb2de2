package io.mcpbridge.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.mcpbridge.testkit.Eventually;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A client on the daemon's Unix socket; what it receives is recorded when the script takes it. */
final class LineClient implements Closeable {
    private final Bench bench;
    private final String section;
    private final SocketChannel channel;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private volatile boolean isOver;

    LineClient(Bench bench, String name, Path socket) throws IOException {
        this.bench = bench;
        this.section = "client " + name + " over unix";
        this.channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        var thread = new Thread(this::read, "golden-" + section);
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try (var reader = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8))) {
            reader.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException closed) {
            // The bridge or the script ended it.
        }
        isOver = true;
    }

    LineClient send(String line) {
        bench.transcript().said(section, "client", line);
        var bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
        return this;
    }

    LineClient request(String id, String method, String params) {
        return send(Json.request(id, method, params));
    }

    /** Calls a tool without waiting. */
    LineClient call(String id, String tool, String more) {
        return request(id, "tools/call", "{\"name\":\"%s\",\"arguments\":{\"text\":\"hi\"}%s}".formatted(tool, more));
    }

    /** Sends a request of the modern era; {@code members} of the params are each followed by a comma. */
    LineClient modern(String id, String method, String members, String capabilities, String meta) {
        return request(id, method, HttpClient.modernParams(members, capabilities, meta));
    }

    /** Calls a tool as clients of the modern era do, without waiting. */
    LineClient modernCall(String id, String tool, String meta) {
        return modern(id, "tools/call", "\"name\":\"%s\",\"arguments\":{\"text\":\"hi\"},".formatted(tool), "{}", meta);
    }

    /** Waits for the next line. */
    JsonNode receive() {
        var line = Eventually.get(() -> "a line for %s; %s".formatted(section, bench.report()), () -> {
            bench.runDue();
            return Optional.ofNullable(lines.poll());
        });
        bench.transcript().said(section, Transcript.BRIDGE, line);
        return Json.parse(line);
    }

    /** Opens a session of the legacy era. */
    LineClient initialize(String capabilities) {
        request(
                "0",
                "initialize",
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":%s,\"clientInfo\":{\"name\":\"golden\",\"version\":\"1\"}}"
                        .formatted(capabilities));
        receive();
        return send(Json.notification("notifications/initialized", ""));
    }

    /** Records what came after the last step, once the bridge has ended. */
    @Override
    public void close() throws IOException {
        Eventually.holds("the bridge to end the connection of " + section, () -> isOver);
        for (var line = lines.poll(); line != null; line = lines.poll()) {
            bench.transcript().said(section, Transcript.BRIDGE, line);
        }
        channel.close();
    }
}
