package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.stream.ClientStreamLimits;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RecordingAcceptor;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Clients that connect, disconnect, flood and stall: rows A1, A2, A13, D14, D15, G3 and G4 of the fault matrix. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixListenerClientsTest {
    private static final int FLOOD = 5_000;
    private static final String ECHO = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"n\":1}}";

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    @TempDir
    Path folder;

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final EchoAcceptor echo = new EchoAcceptor();
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private UnixListenerSettings settings;

    @BeforeEach
    void chooseThePath() {
        settings = UnixListenerSettings.of(folder.resolve("run/bridge.sock"));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var each : toClose) {
            each.close();
        }
    }

    @Test
    void peerIsTheUserOfTheConnectingProcess() throws Exception {
        var acceptor = RecordingAcceptor.takingAll();
        start(acceptor);

        connect();

        Eventually.holds("the peer", () -> acceptor.peers().size() == 1);
        var peer = acceptor.peers().get(0);
        assertThat(peer.principal().proof()).isEqualTo("peer-credentials");
        assertThat(peer.principal().name()).isEqualTo(System.getProperty("user.name"));
        assertThat(peer.network()).isEqualTo("unix");
    }

    @Test
    @DisplayName("A1: an endless line is answered with an error and ends the connection within bounded memory")
    void endlessLineIsAnsweredWithAnErrorAndEndsTheConnection() throws Exception {
        start(echo);
        var client = connect();
        var piece = "x".repeat(64 * 1024);

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        client.sendRaw(piece);
                    }
                })
                .isInstanceOf(IOException.class);

        assertThat(client.receive()).contains("-32600");
        client.awaitEnd();
        assertEchoes(connect());
    }

    @Test
    @DisplayName("A2: a line that never ends ends the connection after its deadline, though it grows byte by byte")
    void endlessSlowLineEndsTheConnectionAfterTheDeadline() throws Exception {
        start(echo);
        var client = connect();
        assertEchoes(client);
        client.sendRaw("{\"jsonrpc\"");
        time.awaitAlarms(2);

        for (int i = 0; i < 30; i++) {
            client.sendRaw(" ");
            time.advance(ClientStreamLimits.DEFAULTS.frameDeadline().dividedBy(30));
        }

        assertThat(client.receive()).contains("not complete after 30000 ms");
        client.awaitEnd();
    }

    @Test
    @DisplayName("A13: an incomplete last line is not executed")
    void incompleteLastLineIsNotExecuted() throws Exception {
        start(echo);
        var client = connect();
        client.sendRaw(ECHO);
        client.endSending();

        assertThatThrownBy(client::receive).isInstanceOf(EOFException.class);
        Eventually.holds("the end to be told", () -> echo.closed.get() == 1);
    }

    @Test
    @DisplayName("D14: a client that has half-closed the connection gets its answers")
    void halfClosedClientGetsItsAnswers() throws Exception {
        var acceptor = RecordingAcceptor.takingAll();
        start(acceptor);
        var client = connect();
        client.send(ECHO);
        client.endSending();
        var exchange = acceptor.awaitMessage();
        time.awaitAlarms(2);

        exchange.end(answer("late"));

        assertThat(client.receive()).contains("late");
        client.awaitEnd();
    }

    @Test
    @DisplayName("D14, L7: the disconnect of a half-closed client is detected")
    void disconnectOfAHalfClosedClientIsDetected() throws Exception {
        var acceptor = RecordingAcceptor.takingAll();
        start(acceptor);
        var abandoned = new AtomicInteger();
        var client = connect();
        client.send(ECHO);
        client.endSending();
        acceptor.awaitMessage().onAbandoned(abandoned::incrementAndGet);
        time.awaitAlarms(2);
        assertThat(abandoned).hasValue(0);

        client.close();

        // Whether a client is still there is looked at again and again; the first look may come before it left.
        Eventually.holds("the call to be abandoned", () -> {
            time.advance(Duration.ofSeconds(1));
            return abandoned.get() == 1;
        });
    }

    @Test
    @DisplayName("D15: silent connections evict only silent ones, and end after the grace time")
    void silentConnectionsEvictOnlySilentOnes() throws Exception {
        settings = new UnixListenerSettings(
                settings.path(), 64, Duration.ofSeconds(10), 8_192, 16, ClientStreamLimits.DEFAULTS);
        start(echo);
        var good = connect();
        assertEchoes(good);

        var silent = new ArrayList<SocketChannel>();
        for (int i = 0; i < FLOOD; i++) {
            silent.add(connectSilently());
        }

        Eventually.holds("all to come", () -> echo.connected.get() == FLOOD + 1);
        Eventually.holds("the silent to be few", () -> echo.open() == 17);
        assertThat(echo.notes(AuditNote.CONNECTION_FLOOD))
                .extracting(note -> note.details().get("count"))
                .containsExactly("1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096");
        assertEchoes(good);
        assertEchoes(connect());
        time.advance(Duration.ofSeconds(10));
        Eventually.holds("the silent to be gone", () -> echo.open() == 2);
        assertEchoes(good);
        assertThat(silent.get(0).read(ByteBuffer.allocate(1))).isNegative();
    }

    @Test
    void connectionOverTheLimitOfItsUserIsClosedAtOnce() throws Exception {
        settings = new UnixListenerSettings(
                settings.path(), 64, Duration.ofSeconds(10), 3, 16, ClientStreamLimits.DEFAULTS);
        start(echo);
        for (int i = 0; i < 3; i++) {
            assertEchoes(connect());
        }

        connect().awaitEnd();

        Eventually.holds(
                "the rejection to be logged", () -> !environment.logged().isEmpty());
        assertThat(environment.logged()).singleElement().asString().contains("3 connections", "'max-connections'");
        assertThat(echo.notes).singleElement().satisfies(note -> {
            assertThat(note.kind()).isEqualTo(AuditNote.PEER_REFUSED);
            assertThat(note.details())
                    .containsEntry("user", System.getProperty("user.name"))
                    .containsEntry("reason", "it has 3 connections, which is 'max-connections'");
        });
    }

    @Test
    void clientWhoseAcceptanceFailsLeavesNothingOpen() throws Exception {
        settings = new UnixListenerSettings(
                settings.path(), 64, Duration.ofSeconds(10), 1, 16, ClientStreamLimits.DEFAULTS);
        var hasFailed = new AtomicBoolean();
        start(peer -> {
            if (hasFailed.compareAndSet(false, true)) {
                throw new IllegalStateException("a defect of the acceptor");
            }
            return echo.connected(peer);
        });

        assertThat(connectSilently().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        Eventually.holds("its place to be free", () -> {
            try (var next = LineClient.to(settings.path())) {
                next.send(ECHO);
                return next.receive().contains("\"n\":1");
            } catch (IOException rejected) {
                return false;
            }
        });
    }

    @Test
    void disconnectedClientNoLongerCounts() throws Exception {
        settings = new UnixListenerSettings(
                settings.path(), 64, Duration.ofSeconds(10), 1, 16, ClientStreamLimits.DEFAULTS);
        start(echo);

        for (int i = 0; i < 20; i++) {
            try (var client = LineClient.to(settings.path())) {
                assertEchoes(client);
            }
            Eventually.holds("the client to be gone", () -> echo.open() == 0);
        }

        assertThat(echo.notes).isEmpty();
    }

    @Test
    @DisplayName(
            "G3, G4: a client that does not read delays no other client and is disconnected when its queue is full")
    void clientThatDoesNotReadDelaysNoOther() throws Exception {
        settings = new UnixListenerSettings(
                settings.path(),
                64,
                Duration.ofSeconds(10),
                8_192,
                16,
                ClientStreamLimits.DEFAULTS.withMaxQueuedBytes(1 << 20));
        var acceptor = RecordingAcceptor.takingAll();
        start(acceptor);
        var deaf = connectSilently();
        deaf.write(ByteBuffer.wrap((ECHO + "\n").repeat(40).getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
        var abandoned = new AtomicInteger();
        // All have arrived before the first answer, since the client may be gone before the last one.
        var exchanges = Stream.generate(acceptor::awaitMessage).limit(40).toList();
        exchanges.forEach(exchange -> {
            exchange.onAbandoned(abandoned::incrementAndGet);
            exchange.end(answer("x".repeat(100_000)));
        });

        var good = connect();
        good.send(ECHO);
        acceptor.awaitMessage().end(answer("prompt"));

        assertThat(good.receive()).contains("prompt");
        Eventually.holds("the deaf client to be dropped", () -> acceptor.closings() == 1);
        assertThat(abandoned.get()).isPositive();
    }

    @Test
    @DisplayName("G3: a large answer reaches a client that reads late")
    void largeAnswerReachesAClientThatReadsLate() throws Exception {
        var acceptor = RecordingAcceptor.takingAll();
        start(acceptor);
        var late = connectSilently();
        late.write(ByteBuffer.wrap((ECHO + "\n").getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
        var answer = Response.result(MessageId.of(1), "\"" + "x".repeat(10 << 20) + "\"");
        acceptor.awaitMessage().end(Ending.answer(answer));

        var buffer = ByteBuffer.allocate(answer.length() + 1);
        while (buffer.hasRemaining() && late.read(buffer) >= 0) {
            assertThat(late.isConnected()).isTrue();
        }

        assertThat(new String(buffer.array(), java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo(answer.json() + "\n");
    }

    @Test
    void thousandIdleClientsAreServedByFewThreadsAndLeaveNothing() throws Exception {
        settings = new UnixListenerSettings(
                settings.path(), 1_024, Duration.ofSeconds(10), 8_192, 1_024, ClientStreamLimits.DEFAULTS);
        start(echo);
        assertEchoes(connect());
        var before = LeakCheck.now();
        int threads = Thread.activeCount();

        var idle = new ArrayList<SocketChannel>();
        for (int i = 0; i < 1_000; i++) {
            idle.add(connectSilently());
        }

        Eventually.holds("all to come", () -> echo.open() == 1_001);
        assertThat(Thread.activeCount()).isLessThan(threads + 10);
        assertEchoes(connect());
        for (var client : idle) {
            client.close();
        }
        Eventually.holds("all to be gone", () -> echo.open() == 2);
        toClose.get(toClose.size() - 1).close();
        before.assertNothingLeft();
    }

    private UnixListener start(Acceptor acceptor) {
        var listener = new UnixListener(settings, environment.with(time));
        toClose.add(0, listener);
        listener.start(acceptor);
        return listener;
    }

    private LineClient connect() throws IOException {
        var client = LineClient.to(settings.path());
        toClose.add(client);
        return client;
    }

    private SocketChannel connectSilently() throws IOException {
        var channel = SocketChannel.open(UnixDomainSocketAddress.of(settings.path()));
        toClose.add(channel);
        return channel;
    }

    private static Ending answer(String text) {
        return Ending.answer(Response.result(MessageId.of(1), "\"" + text + "\""));
    }

    private static void assertEchoes(LineClient client) throws IOException {
        client.send(ECHO);
        assertThat(client.receive()).contains("\"result\":{\"n\":1}");
    }
}
