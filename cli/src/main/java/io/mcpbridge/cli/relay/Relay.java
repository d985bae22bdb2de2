package io.mcpbridge.cli.relay;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Relays messages unchanged between a client on our standard streams and the daemon. After a restart of the daemon it
 * repeats the handshake, so that the client's session continues.
 */
public final class Relay implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final StandardEnvironment owned = StandardEnvironment.open();
    private final Environment environment = owned.environment();
    private final SessionState session;
    private final Path socket;
    private final ReconnectingChannel daemon;
    private final Listener listener;
    private final CountDownLatch ended = new CountDownLatch(1);

    private Relay(Path socket, String clientId, DaemonClientConfiguration file, SocketWatch watch) {
        this.session = new SessionState(clientId);
        this.socket = socket;
        this.daemon = new ReconnectingChannel(this::connect, ReconnectPolicy.of(file), watch, environment.workers());
        this.listener = Providers.of(ListenerProvider.class).named("stdio").create(Settings.of(Map.of()), environment);
    }

    /**
     * Waits for a daemon, unless the file says otherwise, and starts to serve.
     *
     * @param clientId the id of the client, or the empty string
     * @param file the reconnect policy
     * @param onWait receives a message if no daemon listens yet
     * @throws TransportException if no daemon answers at {@code socket}
     */
    public static Relay open(Path socket, String clientId, DaemonClientConfiguration file, Consumer<String> onWait)
            throws InterruptedException {
        var watch = SocketWatch.of(socket);
        try {
            if (file.autoConnect()) {
                awaitDaemon(socket, ReconnectPolicy.of(file), watch, onWait);
            }
            var relay = new Relay(socket, clientId, file, watch);
            relay.begin();
            return relay;
        } catch (InterruptedException | RuntimeException | Error failed) {
            watch.close();
            throw failed;
        }
    }

    private static void awaitDaemon(Path socket, ReconnectPolicy policy, SocketWatch watch, Consumer<String> onWait)
            throws InterruptedException {
        policy.repeat(
                number -> {
                    try (var probe = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                        return probe.isConnected();
                    } catch (IOException absent) {
                        if (number == 1 && policy.attempts() > 1) {
                            onWait.accept("no daemon listens at '%s' yet; waiting for it for up to %d s"
                                    .formatted(
                                            socket, Math.max(1, policy.total().toSeconds())));
                        }
                        throw AbsentDaemon.explain(socket, TransportException.unreachable("unix:" + socket, absent));
                    }
                },
                watch);
    }

    private void begin() {
        var client = new StdioClient(session, daemon, ended::countDown);
        daemon.begin(client);
        listener.start(peer -> Optional.of(client));
    }

    /** Blocks until the client closes our standard input. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        listener.close();
        daemon.close();
        owned.close();
    }

    private DaemonConnection connect(DaemonConnection.Owner owner) throws InterruptedException {
        var section = Settings.of(Map.of("path", socket.toString()));
        var transport = Providers.of(TransportProvider.class).named("unix").create(section, environment);
        var connection = new DaemonConnection(transport, environment.timekeeper(), owner);
        try {
            connection.open(Deadline.after(CONNECT_TIMEOUT, environment.timekeeper()));
            connection.replay(session.restoringRequests());
            return connection;
        } catch (TransportException failed) {
            connection.close();
            throw AbsentDaemon.explain(socket, failed);
        } catch (InterruptedException | RuntimeException | Error failed) {
            connection.close();
            throw failed;
        }
    }
}
