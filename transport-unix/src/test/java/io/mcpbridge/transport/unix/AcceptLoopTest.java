package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.files.OwnUser;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client is rejected, and does not count, when the system has no resources for it. */
@Timeout(60)
class AcceptLoopTest {
    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    private final AtomicBoolean hasRoom = new AtomicBoolean(true);
    private final Path folder = Files.createTempDirectory("accept");
    private final Path path = folder.resolve("b.sock");
    private final ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    private final EchoAcceptor echo = new EchoAcceptor();
    private final AcceptLoop acceptLoop;

    AcceptLoopTest() throws IOException {
        server.bind(UnixDomainSocketAddress.of(path));
        server.configureBlocking(false);
        var settings = UnixListenerSettings.from(Settings.of(Map.of("max-connections", 1)), path);
        var loops = new SocketEventLoopGroup("test-accept", 2, (name, logger) -> {
            if (!hasRoom.get()) {
                throw new UncheckedIOException(new IOException("too many open files"));
            }
            return new SocketEventLoop(name, logger);
        });
        acceptLoop = new AcceptLoop(settings, environment.get(), OwnUser.ofThisProcess(), echo, loops);
        acceptLoop.open(server);
    }

    @AfterEach
    void close() throws IOException {
        acceptLoop.close();
        server.close();
        Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }

    @Test
    void clientWithoutALoopIsRejectedAndTheNextOneIsAccepted() throws IOException {
        hasRoom.set(false);
        try (var refused = connect()) {
            assertThat(refused.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        Eventually.holds(
                "the rejection to be logged", () -> !environment.logged().isEmpty());
        assertThat(echo.connected).hasValue(0);
        assertThat(environment.logged())
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("no resources for another connection", "too many open files"));

        hasRoom.set(true);
        try (var welcome = connect()) {
            Eventually.holds("the connection to be accepted", () -> echo.open() == 1);
            assertThat(welcome.isConnected()).isTrue();
        }
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(path));
    }
}
