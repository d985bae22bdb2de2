package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RecordingReceiver;
import io.mcpbridge.testkit.RecordingReceiver.Signal;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Behaviour of this transport beyond the contract of transports. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixTransportTest {

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    private final SocketEventLoopGroup loops = new SocketEventLoopGroup("mcp-bridge-test", 1, SocketEventLoop::new);
    private final RecordingReceiver receiver = new RecordingReceiver();
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private EchoServer server;

    @BeforeEach
    void startServer() throws Exception {
        server = new EchoServer(1);
        toClose.add(server);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var each : toClose) {
            each.close();
        }
    }

    @Test
    void messageOverTheMessageLimitIsRejectedUnsent() throws Exception {
        server.start();
        var transport = open(new UnixTransportSettings(server.path(), 2, 32 << 20));
        stall(transport);
        transport.send(request(2, EchoScript.ECHO, "x".repeat(2 << 20)));
        transport.send(request(3, EchoScript.ECHO, "waits"));
        transport.send(request(4, EchoScript.ECHO, "waits"));
        var out = request(5, EchoScript.ECHO, "one too many");

        transport.send(out);

        var failure = receiver.awaitFailure(out).failure();
        assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(failure.message()).contains("2 messages wait", "'max-queued'");
        assertThat(receiver.isWritten(out)).isFalse();
    }

    @Test
    void messageOverTheByteLimitIsRejectedUnsent() throws Exception {
        server.start();
        var transport = open(new UnixTransportSettings(server.path(), 100, 1 << 20));
        stall(transport);
        transport.send(request(2, EchoScript.ECHO, "x".repeat(1 << 20)));
        transport.send(request(3, EchoScript.ECHO, "x".repeat(1 << 20)));
        var out = request(4, EchoScript.ECHO, "one too many");

        transport.send(out);

        var failure = receiver.awaitFailure(out).failure();
        assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure.message()).contains("'max-queued-bytes', 1048576");
        assertThat(receiver.isWritten(out)).isFalse();
    }

    @Test
    void singleMessageMayAlwaysWait() throws Exception {
        server.start();
        var transport = open(new UnixTransportSettings(server.path(), 100, 1 << 20));

        transport.send(request(2, EchoScript.ECHO, "x".repeat(2 << 20)));

        assertThat(receiver.awaitResponse(MessageId.of(2)).length()).isGreaterThan(2 << 20);
    }

    @Test
    void initializeIsNeverCancelledOnTheWire() throws Exception {
        server.start();
        var transport = open(UnixTransportSettings.of(server.path()));
        var out = request(1, Methods.INITIALIZE, "");
        transport.send(out);
        receiver.awaitResponse(MessageId.of(1));

        assertThat(transport.abandon(out, "late")).isFalse();

        transport.send(request(2, EchoScript.SEEN, ""));
        assertThat(receiver.awaitResponse(MessageId.of(2)).json()).contains("\"cancelled\":[]");
    }

    @Test
    void lateAnswerToAnAbandonedRequestIsDelivered() throws Exception {
        server.start();
        var transport = open(UnixTransportSettings.of(server.path()));
        var out = request(1, EchoScript.STALL, "");
        transport.send(out);
        receiver.awaitWritten(out);

        transport.abandon(out, "late");
        transport.send(request(2, EchoScript.ECHO, ""));

        receiver.awaitResponse(MessageId.of(2));
        assertThat(receiver.messages()).hasSize(2);
    }

    @Test
    void openFailsAfterTheDeadlineIfTheServerDoesNotAccept() throws Exception {
        fillTheBacklog();
        var transport = transport(UnixTransportSettings.of(server.path()));

        assertThatThrownBy(() -> transport.open(receiver, deadline(Duration.ofMillis(100))))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("within 100 ms")
                .hasMessageContaining(server.path().toString());
    }

    @Test
    void interruptedOpenLeavesNothingOpen() throws Exception {
        fillTheBacklog();
        var before = LeakCheck.now();
        var transport = transport(UnixTransportSettings.of(server.path()));
        var thrown = new AtomicReference<Exception>();
        var opener = new Thread(() -> {
            try {
                transport.open(receiver, deadline(Duration.ofSeconds(30)));
            } catch (InterruptedException | RuntimeException expected) {
                thrown.set(expected);
            }
        });
        opener.start();
        Eventually.holds("the connect to wait", () -> isConnecting(opener));

        opener.interrupt();
        opener.join(30_000);

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        before.assertNothingLeftNorOpen();
    }

    @Test
    void fiftyConnectionsLeaveNothingBehind() throws Exception {
        server.start();
        var before = LeakCheck.now();

        for (int i = 0; i < 50; i++) {
            try (var transport = transport(UnixTransportSettings.of(server.path()))) {
                var each = new RecordingReceiver();
                transport.open(each, deadline(Duration.ofSeconds(10)));
                transport.send(request(1, EchoScript.ECHO, ""));
                each.awaitResponse(MessageId.of(1));
            }
        }

        before.assertNothingLeftNorOpen();
    }

    @Test
    void unreadableLineIsReportedAndTheConnectionContinues() throws Exception {
        var peer = new LineServer();
        toClose.add(peer);
        var transport = open(UnixTransportSettings.of(peer.path()));

        peer.say("{\"jsonrpc\":\"2.0\",\"id\":1}");
        peer.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");

        receiver.awaitResponse(MessageId.of(1));
        assertThat(receiver.signals()).first().isInstanceOf(Signal.Unreadable.class);
        assertThat(receiver.closings()).isEmpty();
        transport.close();
    }

    @Test
    void secondOpenIsRejected() throws Exception {
        server.start();
        var transport = open(UnixTransportSettings.of(server.path()));

        assertThatThrownBy(() -> transport.open(receiver, deadline(Duration.ofSeconds(1))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nothingIsReadBeforeTheConnectionBegins() throws Exception {
        var lines = new LineServer();
        toClose.add(lines);
        var channel = SocketChannel.open(UnixDomainSocketAddress.of(lines.path()));
        channel.configureBlocking(false);
        lines.say("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
        var transport = transport(new UnixTransportSettings(lines.path(), 2, 1 << 20));
        var connection = transport.new OpenConnection(channel, receiver);
        toClose.add(0, () -> connection.end(Closed.byUs()));

        awaitLoopTurn();
        awaitLoopTurn();
        assertThat(receiver.messages()).isEmpty();

        connection.begin();
        assertThat(receiver.awaitMessage().json()).contains("ping");
    }

    private void awaitLoopTurn() throws InterruptedException {
        var turned = new CountDownLatch(1);
        loops.acquire(System.getLogger("test")).execute(turned::countDown);
        try {
            assertThat(turned.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            loops.release();
        }
    }

    private static boolean isConnecting(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("SocketChannelImpl"));
    }

    private void stall(Transport transport) {
        var stalling = request(1, EchoScript.STALL, "");
        transport.send(stalling);
        receiver.awaitWritten(stalling);
    }

    /** The server accepts no connection, and its backlog is full. */
    private void fillTheBacklog() throws Exception {
        for (int i = 0; i < 2; i++) {
            toClose.add(SocketChannel.open(UnixDomainSocketAddress.of(server.path())));
        }
    }

    private UnixTransport open(UnixTransportSettings settings) throws InterruptedException {
        var transport = transport(settings);
        transport.open(receiver, deadline(Duration.ofSeconds(10)));
        return transport;
    }

    private UnixTransport transport(UnixTransportSettings settings) {
        var transport = new UnixTransport(settings, environment.get(), loops);
        toClose.add(0, transport);
        return transport;
    }

    private Outgoing request(int id, String method, String text) {
        return Outgoing.of(
                Request.of(MessageId.of(id), method, "{\"text\":\"" + text + "\"}"),
                ProtocolVersion.LATEST_LEGACY,
                deadline(Duration.ofSeconds(30)));
    }

    private Deadline deadline(Duration span) {
        return Deadline.after(span, environment.clock());
    }
}
