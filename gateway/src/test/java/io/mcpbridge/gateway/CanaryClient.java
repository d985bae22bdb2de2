package io.mcpbridge.gateway;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One client of a canary run, for one thread: numbers its calls from 0 like all others, uses the same progress
 * tokens, sends a canary of its own with each, and reports received messages that are not its own.
 */
final class CanaryClient {
    private static final int WINDOW = 4;
    private static final int ONE_IN = 10;

    private final int number;
    private final int calls;
    private final String tool;
    private final Random random;
    private final CanaryReport report;
    private final CanaryCheck check;
    private final Set<Integer> open = new HashSet<>();
    private final Set<Integer> cancelled = new HashSet<>();

    CanaryClient(int number, int calls, String tool, long seed, CanaryReport report) {
        this.number = number;
        this.calls = calls;
        this.tool = tool;
        this.random = new Random(seed + number);
        this.report = report;
        this.check = new CanaryCheck(number, report);
    }

    /**
     * Makes all calls on one connection. One in ten clients leaves in the middle of them, and one in ten reads nothing
     * before it has made them all.
     */
    void run(Path socket) throws IOException {
        var leavesAt = random.nextInt(ONE_IN) == 0 ? random.nextInt(calls) : calls;
        var window = random.nextInt(ONE_IN) == 0 ? calls : WINDOW;
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                var alarm = report.closeWhenSilent(channel);
                var reader = new BufferedReader(
                        new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))) {
            send(channel, "{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\",\"params\":{}}");
            reader.readLine();
            for (int n = 0; n < leavesAt; n++) {
                call(channel, n);
                while (open.size() >= window) {
                    alarm.received();
                    receive(reader.readLine());
                }
            }
            while (leavesAt == calls && !open.isEmpty()) {
                alarm.received();
                receive(reader.readLine());
            }
        } finally {
            // A client that leaves early expects no further responses.
            report.lost(leavesAt == calls ? open.size() : 0);
        }
    }

    private void call(SocketChannel channel, int n) throws IOException {
        open.add(n);
        send(
                channel,
                "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{\"canary\":\"%s\"},\"_meta\":{\"progressToken\":%d}}}"
                        .formatted(n, tool, check.canary(n), n));
        if (random.nextInt(10) == 0) {
            send(
                    channel,
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"
                            .formatted(n));
            cancelled.add(n);
            open.remove(n);
        }
    }

    private void receive(@Nullable String line) throws IOException {
        if (line == null) {
            throw new IOException("the connection ended with %d calls open".formatted(open.size()));
        }
        var message = Message.scan(line.getBytes(StandardCharsets.UTF_8), Limits.SERVER);
        if (message instanceof Response response) {
            answered(response, line);
        } else if (message instanceof Notification note && note.method().equals(Methods.PROGRESS)) {
            check.expect(
                    line, Integer.parseInt(note.raw(MessageField.PROGRESS_TOKEN).orElse("-1")));
        } else {
            check.expectMine(line);
        }
    }

    private void answered(Response response, String line) {
        var n = (int) response.id().map(MessageId::asLong).orElseThrow().orElse(-1);
        if (check.isLost(response)) {
            open.remove(n);
            return;
        }
        check.expect(line, n);
        if (open.remove(n)) {
            report.answered();
        } else if (!cancelled.remove(n)) {
            report.violation("client %d got a second answer to %d: %s".formatted(number, n, line));
        }
    }

    private static void send(SocketChannel channel, String line) throws IOException {
        var bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
