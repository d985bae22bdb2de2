package io.mcpbridge.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DaemonClientTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Path socket;
    private ServerSocketChannel daemon;

    @BeforeEach
    void listen() throws IOException {
        socket = folder.resolve("d.sock");
        daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    @AfterEach
    void close() throws IOException {
        daemon.close();
    }

    @Test
    void responseIsFoundAmongOtherMessages() throws Exception {
        try (var client = DaemonClient.connect(socket, LONG);
                var peer = daemon.accept()) {
            send(peer, """
                {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}
                {"jsonrpc":"2.0","id":7,"result":{"n":7}}
                {"jsonrpc":"2.0","id":1,"result":{"n":1}}
                {"jsonrpc":"2.0","id":2,"resu""");

            assertThat(client.ask("bridge/health")).isEqualTo("{\"n\":1}");

            send(peer, "lt\":{\"n\":2}}\n");
            assertThat(client.ask("bridge/health")).isEqualTo("{\"n\":2}");
        }
    }

    @Test
    void silentDaemonTimesOut() throws Exception {
        try (var client = DaemonClient.connect(socket, Duration.ofMillis(50))) {
            assertThatThrownBy(() -> client.ask("bridge/health"))
                    .isInstanceOfSatisfying(CallException.class, late -> {
                        assertThat(late.code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
                        assertThat(late.failure().delivery()).isEqualTo(Delivery.UNKNOWN);
                    })
                    .hasMessage("the daemon at '%s' did not answer 'bridge/health' within 50 ms".formatted(socket));
        }
    }

    @Test
    void endOfTheDaemonFailsTheRequest() throws Exception {
        try (var client = DaemonClient.connect(socket, LONG)) {
            daemon.accept().close();

            assertThatThrownBy(() -> client.ask("bridge/health"))
                    .isInstanceOfSatisfying(
                            CallException.class,
                            lost -> assertThat(lost.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE))
                    .hasMessageStartingWith("the connection to the server is lost: ");
        }
    }

    @Test
    void interruptedThreadStopsWaiting() throws Exception {
        try (var client = DaemonClient.connect(socket, LONG)) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> client.ask("bridge/health")).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    private static void send(SocketChannel peer, String text) throws IOException {
        var bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            peer.write(bytes);
        }
    }
}
