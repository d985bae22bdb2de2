package io.mcpbridge.transport.unix;

import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.stream.LineContext;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Accepts connections, looks who it is before a byte is read, and keeps the number of connections within bounds.
 *
 * <p>A listener has one while it runs. Accepting happens on one loop; the rest any thread may call.
 */
final class Doorman implements SocketLoop.Ready {
    private static final int ACCEPTED_IN_TURN = 64;
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final UnixListenerSettings settings;
    private final Environment environment;
    private final PeerCredentials credentials;
    private final Acceptor acceptor;
    private final SocketLoops loops;
    private final SocketLoop loop;
    private final LineContext context;
    private final Visitors visitors;
    private final SilentClients silent;
    private final AtomicLong accepted = new AtomicLong();
    private final Refusals refusals;
    private volatile boolean closed;

    Doorman(UnixListenerSettings settings, Environment environment, PeerCredentials credentials, Acceptor acceptor) {
        this(settings, environment, credentials, acceptor, usualLoops());
    }

    Doorman(
            UnixListenerSettings settings,
            Environment environment,
            PeerCredentials credentials,
            Acceptor acceptor,
            SocketLoops loops) {
        this.settings = settings;
        this.environment = environment;
        this.credentials = credentials;
        this.acceptor = acceptor;
        this.loops = loops;
        this.loop = loops.acquire(environment.logger());
        this.context = new LineContext(settings.lines(), environment);
        this.visitors = new Visitors(settings.maxConnections());
        this.refusals = new Refusals(settings.path(), environment, acceptor);
        this.silent = new SilentClients(environment.timekeeper(), settings, refusals);
    }

    private static SocketLoops usualLoops() {
        return new SocketLoops("mcp-bridge-unix-server", SocketLoops.defaultSize());
    }

    /** Accepts from this channel, until it is closed. */
    void open(ServerSocketChannel channel) {
        loop.execute(() -> register(channel));
    }

    /** Accepts who is waiting at the door, and nobody after that. */
    void shut(ServerSocketChannel channel) {
        loop.execute(() -> {
            acceptFrom(channel, settings.backlog());
            Quietly.close(channel);
        });
    }

    /** Ends every connection. */
    void close() {
        // Who is being let in at this moment sees the flag and is ended there.
        closed = true;
        visitors.all().forEach(ClientSocket::end);
        loops.releaseAndAwait();
    }

    /** How many connections were turned away. */
    long refused() {
        return refusals.count();
    }

    int connections() {
        return visitors.count();
    }

    void heard(ClientSocket client) {
        silent.remove(client);
    }

    void left(ClientSocket client) {
        if (visitors.remove(client)) {
            silent.remove(client);
            visitors.leave(client.peer().principal().name());
            loops.release();
        }
    }

    @Override
    public void ready(SelectionKey key) {
        if (!acceptFrom((ServerSocketChannel) key.channel(), ACCEPTED_IN_TURN)) {
            pause(key);
        }
    }

    @Override
    public void failed(Throwable why) {
        // One connection was not let in; the door stays open.
    }

    private void register(ServerSocketChannel channel) {
        try {
            loop.register(channel, SelectionKey.OP_ACCEPT, this);
        } catch (ClosedChannelException closedBefore) {
            // The listener was closed at once.
        } catch (IOException failed) {
            environment.logger().log(System.Logger.Level.ERROR, "[mcp-bridge] cannot accept connections", failed);
        }
    }

    /** False if the system has no room for another connection. */
    private boolean acceptFrom(ServerSocketChannel channel, int max) {
        try {
            for (int i = 0; i < max && !closed; i++) {
                var client = channel.accept();
                if (client == null) {
                    return true;
                }
                admit(client);
            }
            return true;
        } catch (ClosedChannelException shut) {
            return true;
        } catch (IOException noRoom) {
            refusals.flood("", "cannot accept a connection: " + noRoom.getMessage());
            return false;
        }
    }

    /** Who waits at the door stays in the backlog; trying again at once would only burn time. */
    private void pause(SelectionKey key) {
        key.interestOps(0);
        environment
                .timekeeper()
                .schedule(
                        PAUSE,
                        () -> loop.execute(() -> {
                            if (key.isValid()) {
                                key.interestOps(SelectionKey.OP_ACCEPT);
                            }
                        }));
    }

    private void admit(SocketChannel channel) {
        try {
            var user = PeerCredentials.of(channel);
            if (!credentials.isTrusted(user)) {
                refuse(
                        channel,
                        user.getName(),
                        "only '%s' and root may connect"
                                .formatted(credentials.own().getName()));
            } else if (!visitors.enter(user.getName())) {
                refuse(
                        channel,
                        user.getName(),
                        "it has %d connections, which is 'max-connections'".formatted(settings.maxConnections()));
            } else {
                letIn(channel, user.getName());
            }
        } catch (IOException gone) {
            Quietly.close(channel);
        }
    }

    private void letIn(SocketChannel channel, String user) {
        SocketLoop its;
        try {
            channel.configureBlocking(false);
            its = loops.acquire(environment.logger());
        } catch (IOException | RuntimeException | OutOfMemoryError noRoom) {
            // The last of them tells that the system starts no more threads; the others inside go on.
            visitors.leave(user);
            refuse(channel, user, "there is no room for it: " + noRoom.getMessage());
            return;
        }
        begin(channel, its, user);
    }

    private void begin(SocketChannel channel, SocketLoop its, String user) {
        var peer = new Peer(
                new Principal(user, "peer-credentials"),
                TransportTraits.Shape.SHARED_STREAM,
                "unix",
                "unix:%s#%d".formatted(settings.path(), accepted.incrementAndGet()));
        var client = new ClientSocket(channel, its, peer, context, this);
        visitors.add(client);
        silent.add(client);
        try {
            client.begin(acceptor);
        } catch (RuntimeException bug) {
            client.end();
            throw bug;
        }
        if (closed) {
            client.end();
        }
    }

    private void refuse(SocketChannel channel, String user, String why) {
        Quietly.close(channel);
        refusals.peer(user, why);
    }
}
