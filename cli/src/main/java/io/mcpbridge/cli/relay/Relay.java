package io.mcpbridge.cli.relay;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Relays messages unchanged between a client on our standard streams and the daemon. After a restart of the daemon it
 * repeats the handshake, so that the client's session continues.
 */
public final class Relay implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** How long a client without a daemon has to send the request that is answered with the failure. */
    private static final Duration REFUSAL_TIME = Duration.ofSeconds(2);

    private final StandardEnvironment owned = StandardEnvironment.open();
    private final Environment environment = owned.environment();
    private final SessionState session;
    private final Path socket;
    private final SocketWatch watch;
    private final ReconnectingChannel daemon;
    private final Listener listener;
    private final CountDownLatch ended = new CountDownLatch(1);

    private Relay(Path socket, String clientId, ReconnectPolicy policy) {
        this.session = new SessionState(clientId);
        this.socket = socket;
        this.watch = new SocketWatch(socket);
        this.daemon = new ReconnectingChannel(this::connect, policy, watch, environment.workers());
        this.listener = Providers.of(ListenerProvider.class).named("stdio").create(Settings.of(Map.of()), environment);
    }

    /**
     * Waits for a daemon, unless the file says otherwise, and starts to serve.
     *
     * @param clientId the id of the client, or the empty string
     * @param file the reconnect policy
     * @param onWait receives a message if no daemon listens yet
     * @throws TransportException if no daemon answers at {@code socket}; the client has the error as an answer then
     */
    public static Relay open(Path socket, String clientId, DaemonClientConfiguration file, Consumer<String> onWait)
            throws InterruptedException {
        var policy = ReconnectPolicy.of(file);
        var relay = new Relay(socket, clientId, policy);
        try {
            if (file.autoConnect()) {
                relay.awaitDaemon(policy, onWait);
            }
            var client = new StdioClient(relay.session, relay.daemon, relay.ended::countDown);
            relay.daemon.begin(client);
            relay.listener.start(peer -> Optional.of(client));
            return relay;
        } catch (InterruptedException | RuntimeException | Error failed) {
            relay.close();
            throw failed;
        }
    }

    private void awaitDaemon(ReconnectPolicy policy, Consumer<String> onWait) throws InterruptedException {
        try {
            policy.repeat(number -> isThere(number, policy, onWait), watch);
        } catch (BridgeException absent) {
            var refusal = new Refusal(absent.failure(), ended);
            listener.start(peer -> Optional.of(refusal));
            var unused = ended.await(REFUSAL_TIME.toMillis(), TimeUnit.MILLISECONDS);
            throw absent;
        }
    }

    private boolean isThere(int attempt, ReconnectPolicy policy, Consumer<String> onWait) {
        try (var probe = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return probe.isConnected();
        } catch (IOException absent) {
            if (attempt == 1 && policy.attempts() > 1) {
                onWait.accept("no daemon listens at '%s' yet; waiting for it for up to %d s"
                        .formatted(socket, Math.max(1, policy.total().toSeconds())));
            }
            throw AbsentDaemon.explain(socket, TransportException.unreachable("unix:" + socket, absent));
        }
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

    private DaemonConnection connect(ReconnectingChannel owner) throws InterruptedException {
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

    /** Answers the first request of a client with the failure to find a daemon, and ends its connection. */
    private static final class Refusal implements Intake {
        private final Failure why;
        private final CountDownLatch ended;
        private volatile @Nullable Exchange stream;

        private Refusal(Failure why, CountDownLatch ended) {
            this.why = why;
            this.ended = ended;
        }

        @Override
        public void received(Exchange exchange) {
            if (exchange.kind() == Exchange.Kind.LISTEN) {
                stream = exchange;
            } else if (exchange.message().orElse(null) instanceof Request request) {
                exchange.end(Ending.answer(JsonRpcErrorMapper.toResponse(request.id(), why, "")));
                // The connection closes when the answer is written.
                Objects.requireNonNull(stream, "stream").end(Ending.empty());
            } else {
                exchange.end(Ending.accepted());
            }
        }

        @Override
        public void closed() {
            ended.countDown();
        }
    }
}
