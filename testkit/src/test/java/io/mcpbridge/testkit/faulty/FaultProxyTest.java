package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that answers {@code pong} to each four bytes stands behind the proxy. */
@Timeout(60)
class FaultProxyTest {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final ServerSocket server = listen();
    private final AtomicInteger heard = new AtomicInteger();
    private final FaultProxy proxy = FaultProxy.before(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/x"));

    @TempDir
    private Path folder;

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException cannotListen) {
            throw new UncheckedIOException(cannotListen);
        }
    }

    FaultProxyTest() {
        ConnectionAcceptor.thread("test-server", () -> {
            try {
                while (true) {
                    var socket = server.accept();
                    ConnectionAcceptor.thread("test-connection", () -> answer(socket));
                }
            } catch (IOException over) {
                // The test is over.
            }
        });
    }

    private void answer(Socket socket) {
        try (socket) {
            while (socket.getInputStream().readNBytes(4).length == 4) {
                heard.incrementAndGet();
                socket.getOutputStream().write("pong".getBytes(UTF_8));
            }
        } catch (IOException gone) {
            // The proxy has reset it.
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.uri().getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    private static String readText(Socket socket, int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), UTF_8);
    }

    private static void assertReceivesNothing(Socket socket) throws IOException {
        socket.setSoTimeout(300);
        assertThatThrownBy(() -> readText(socket, 1)).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(TIMEOUT_MILLIS);
    }

    @Test
    void proxyForwardsAndCountsConnections() throws IOException {
        try (var client = connect()) {
            say(client, "ping");

            assertThat(readText(client, 4)).isEqualTo("pong");
        }
        assertThat(proxy.uri().getPath()).isEqualTo("/x");
        assertThat(proxy.connections()).isEqualTo(1);
        assertThat(proxy.troubles()).isZero();
    }

    @Test
    void proxyRefusesUntilItPassesAgain() throws IOException {
        proxy.always(new Toxic.Refuse());
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);

        proxy.pass();

        try (var client = connect()) {
            say(client, "ping");
            assertThat(readText(client, 4)).isEqualTo("pong");
        }
    }

    @Test
    void proxyResetsBeforeTheServerReceivesAnything() throws IOException {
        proxy.always(new Toxic.ResetBefore());

        try (var client = connect()) {
            say(client, "ping");

            assertThatThrownBy(() -> readText(client, 1)).hasMessageContaining("reset");
        }
        assertThat(heard).hasValue(0);
    }

    @Test
    void proxyResetsAfterTheServerAnswered() throws IOException {
        proxy.always(new Toxic.ResetAfter());

        try (var client = connect()) {
            say(client, "ping");

            assertThatThrownBy(() -> readText(client, 1)).hasMessageContaining("reset");
        }
        assertThat(heard).hasValue(1);
    }

    @Test
    void halfOpenConnectionIsSilent() throws IOException {
        proxy.always(new Toxic.HalfOpen());

        try (var client = connect()) {
            say(client, "ping");

            assertReceivesNothing(client);
        }
        assertThat(heard).hasValue(0);
    }

    @Test
    void blackholeSwallowsBytesFromAnOffset() throws IOException {
        proxy.always(new Toxic.Blackhole(3));

        try (var client = connect()) {
            say(client, "ping");

            assertThat(readText(client, 3)).isEqualTo("pon");
            assertReceivesNothing(client);
        }
    }

    @Test
    void cutResetsAfterSomeBytes() throws IOException {
        proxy.when("ping", new Toxic.Cut(4));

        try (var client = connect()) {
            say(client, "what");
            assertThat(readText(client, 4)).isEqualTo("pong");
            say(client, "pi");
            say(client, "ng");
            assertThatThrownBy(() -> readText(client, 5)).hasMessageContaining("reset");
        }
        assertThat(heard).hasValue(2);
        assertThat(proxy.troubles()).isEqualTo(1);
    }

    @Test
    void dribbleForwardsSlowly() throws IOException {
        proxy.always(new Toxic.Dribble(1, Duration.ofMillis(5)));

        try (var client = connect()) {
            say(client, "ping");

            assertThat(readText(client, 4)).isEqualTo("pong");
        }
    }

    @Test
    void singleFaultAffectsOneConnection() throws IOException {
        proxy.once("ping", new Toxic.ResetAfter());

        try (var first = connect();
                var second = connect()) {
            say(first, "ping");
            assertThatThrownBy(() -> readText(first, 1)).isInstanceOf(IOException.class);

            say(second, "ping");
            assertThat(readText(second, 4)).isEqualTo("pong");
        }
    }

    @Test
    void closeEndsEveryConnection() throws IOException {
        try (var client = connect()) {
            say(client, "ping");
            readText(client, 4);

            proxy.close();

            assertThatThrownBy(() -> readText(client, 1)).hasMessageContaining("reset");
        }
    }

    @Test
    void proxySupportsUnixSockets() throws IOException {
        var behind = folder.resolve("s");
        try (var unix = ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            unix.bind(UnixDomainSocketAddress.of(behind));
            try (var before = FaultProxy.before(behind, folder.resolve("p"));
                    var client = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("p")));
                    var accepted = unix.accept()) {
                client.write(ByteBuffer.wrap("ping".getBytes(UTF_8)));
                var read = ByteBuffer.allocate(4);
                Eventually.holds("the bytes to come through", () -> hasAll(accepted, read));

                before.resetAll();

                assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
        }
        assertThat(Files.exists(folder.resolve("p"))).isFalse();
    }

    private static boolean hasAll(SocketChannel channel, ByteBuffer target) {
        try {
            channel.read(target);
            return !target.hasRemaining();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
