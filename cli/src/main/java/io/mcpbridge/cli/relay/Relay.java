package io.mcpbridge.cli.relay;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.config.ClientConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * One client on our standard streams, the daemon behind it: passes every message on as it is, and introduces the client
 * once more to a daemon that was restarted, so that the client's session goes on.
 */
public final class Relay implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final StandardEnvironment owned = StandardEnvironment.open();
    private final Environment environment = owned.environment();
    private final Memory memory;
    private final Settings socket;
    private final DaemonLine daemon;
    private final Listener listener;
    private final CountDownLatch ended = new CountDownLatch(1);

    private Relay(Path socket, String clientId, ClientConfiguration file) {
        this.memory = new Memory(clientId);
        this.socket = Settings.of(Map.of("path", socket.toString()));
        this.daemon = new DaemonLine(new Dialing(this::dial, Patience.of(file)), environment.workers());
        this.listener = Providers.of(ListenerProvider.class).named("stdio").create(Settings.of(Map.of()), environment);
    }

    /**
     * Waits for a daemon and begins to serve.
     *
     * @param clientId the id that the client goes by, or the empty string
     * @param file says how patiently a daemon is looked for
     * @param remark hears at once if there is none yet
     * @throws io.mcpbridge.failure.TransportException if no daemon answers at {@code socket}
     */
    public static Relay open(Path socket, String clientId, ClientConfiguration file, Consumer<String> remark)
            throws InterruptedException {
        DaemonSearch.await(socket, Patience.of(file), remark);
        var relay = new Relay(socket, clientId, file);
        relay.begin();
        return relay;
    }

    private void begin() {
        var client = new ClientLine(memory, daemon, ended::countDown);
        daemon.begin(client);
        listener.start(peer -> Optional.of(client));
    }

    /** Waits until the client has closed our standard input. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        listener.close();
        daemon.close();
        owned.close();
    }

    private DaemonConnection dial(DaemonConnection.Owner owner) throws InterruptedException {
        var transport = Providers.of(TransportProvider.class).named("unix").create(socket, environment);
        var greeting = new Greeting(owner);
        var connection = new DaemonConnection(transport, environment.timekeeper(), greeting);
        var isGreeted = false;
        try {
            connection.open(Deadline.after(CONNECT_TIMEOUT, environment.timekeeper()));
            greeting.say(connection, memory.toRepeat());
            isGreeted = true;
            return connection;
        } finally {
            if (!isGreeted) {
                connection.close();
            }
        }
    }
}
