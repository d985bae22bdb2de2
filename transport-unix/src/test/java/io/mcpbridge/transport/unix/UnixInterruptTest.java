package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.RecordingAcceptor;
import io.mcpbridge.testkit.RecordingReceiver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A thread that is interrupted while it has something to write harms no shared connection: row D17. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixInterruptTest {
    private static final String ECHO = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"echo\"}";

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    @TempDir
    Path folder;

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        // The flag would end the closing as well.
        Thread.interrupted();
        for (var each : toClose) {
            each.close();
        }
    }

    @Test
    @DisplayName("D17: an answer of an interrupted thread arrives, and the connection continues")
    void answerOfAnInterruptedThreadArrives() throws Exception {
        var acceptor = RecordingAcceptor.takingAll();
        var client = clientOf(acceptor);

        for (int i = 1; i <= 10; i++) {
            client.send(ECHO.formatted(i));
            var exchange = acceptor.awaitMessage();
            Thread.currentThread().interrupt();
            exchange.end(Ending.answer(Response.result(MessageId.of(i), "{}")));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(client.receive()).contains("\"id\":" + i);
        }
    }

    @Test
    @DisplayName("D17: a request of an interrupted thread is sent and answered")
    void requestOfAnInterruptedThreadIsSent() throws Exception {
        var server = new EchoServer(1);
        toClose.add(server);
        server.start();
        var receiver = new RecordingReceiver();
        var loops = new SocketEventLoopGroup("mcp-bridge-test", 1, SocketEventLoop::new);
        var transport = new UnixTransport(UnixTransportSettings.of(server.path()), environment.get(), loops);
        toClose.add(0, transport);
        var deadline = Deadline.after(Duration.ofSeconds(20), environment.clock());
        transport.open(receiver, deadline);

        for (int i = 1; i <= 10; i++) {
            var request = Request.of(MessageId.of(i), EchoScript.ECHO, "{}");
            Thread.currentThread().interrupt();
            transport.send(Outgoing.of(request, ProtocolVersion.LATEST_LEGACY, deadline));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(receiver.awaitResponse(MessageId.of(i)).isError()).isFalse();
        }
    }

    @Test
    @DisplayName("D17: an interrupt does not make the thread of a loop spin")
    void interruptedLoopContinuesWithoutTheFlag() throws Exception {
        var flags = new CopyOnWriteArrayList<Boolean>();
        var echo = new EchoAcceptor();
        var client = clientOf(peer -> echo.connected(peer).map(intake -> new InterruptingIntake(intake, flags)));

        for (int i = 1; i <= 3; i++) {
            client.send(ECHO.formatted(i));
            assertThat(client.receive()).contains("\"id\":" + i);
        }

        assertThat(flags).containsExactly(false, false, false);
    }

    private LineClient clientOf(Acceptor acceptor) throws Exception {
        var settings = UnixListenerSettings.of(folder.resolve("run/bridge.sock"));
        var listener = new UnixListener(settings, environment.get());
        toClose.add(listener);
        listener.start(acceptor);
        var client = LineClient.to(settings.path());
        toClose.add(0, client);
        return client;
    }

    /** Interrupts the thread that sends a message, as a careless tool might, and records its flag. */
    private record InterruptingIntake(Intake intake, List<Boolean> flags) implements Intake {

        @Override
        public void received(Exchange exchange) {
            if (exchange.message().isPresent()) {
                flags.add(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
            }
            intake.received(exchange);
        }

        @Override
        public void closed() {
            intake.closed();
        }
    }
}
