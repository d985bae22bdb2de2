package io.mcpbridge.transport.unix;

import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.UnixSocket;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.PowerOfTwoSampler;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.stream.ClientLineConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Accepts the connections of one listener: checks the user of each before it reads a byte, and bounds how many there are.
 *
 * <p>Accepting happens on one event loop; any thread may call the other methods.
 */
final class AcceptLoop implements SocketEventLoop.Handler {
    private static final int MAX_ACCEPTED_PER_TURN = 64;

    /** How long it accepts nothing after the system had no resources for another connection. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final UnixListenerSettings settings;
    private final Environment environment;
    private final OwnUser own;
    private final Acceptor acceptor;
    private final SocketEventLoopGroup loops;
    private final SocketEventLoop loop;
    private final Set<ClientConnection> clients = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<String, Integer> connectionsPerUser = new ConcurrentHashMap<>();
    /** The connections that have not sent a byte yet, oldest first. */
    private final Queue<ClientConnection> silent = new ConcurrentLinkedQueue<>();

    private final AtomicLong accepted = new AtomicLong();
    private final RejectedPeers rejected = new RejectedPeers();
    private volatile boolean closed;

    AcceptLoop(
            UnixListenerSettings settings,
            Environment environment,
            OwnUser own,
            Acceptor acceptor,
            SocketEventLoopGroup loops) {
        this.settings = settings;
        this.environment = environment;
        this.own = own;
        this.acceptor = acceptor;
        this.loops = loops;
        this.loop = loops.acquire(environment.logger());
    }

    /** Accepts from this channel, until it is closed. */
    void open(ServerSocketChannel channel) {
        loop.execute(() -> register(channel));
    }

    /** Accepts the connections that wait in the backlog, and closes the channel. */
    void shut(ServerSocketChannel channel) {
        loop.execute(() -> {
            acceptFrom(channel, settings.backlog());
            Closeables.closeQuietly(channel);
        });
    }

    /** Ends every connection. */
    void close() {
        // A connection that is being admitted now checks the flag itself.
        closed = true;
        Set.copyOf(clients).forEach(ClientConnection::end);
        loops.releaseAndAwait();
    }

    @Override
    public void ready(SelectionKey key) {
        if (!acceptFrom((ServerSocketChannel) key.channel(), MAX_ACCEPTED_PER_TURN)) {
            pause(key);
        }
    }

    @Override
    public void failed(Throwable why) {
        // One connection was not accepted; the next ones are.
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

    /** False if the system has no resources for another connection. */
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
        } catch (IOException noResources) {
            rejected.flood("", "cannot accept a connection: " + noResources.getMessage());
            return false;
        }
    }

    /** Waiting connections stay in the backlog; a retry at once would only use CPU time. */
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
            var user = UnixSocket.peer(channel);
            var name = user.getName();
            if (!UnixSocket.isTrusted(user, own)) {
                reject(
                        channel,
                        name,
                        "only '%s' and root may connect".formatted(own.user().getName()));
            } else if (!countConnection(name)) {
                var limit = settings.maxConnections();
                reject(channel, name, "it has %d connections, which is 'max-connections'".formatted(limit));
            } else {
                connect(channel, name);
            }
        } catch (IOException gone) {
            Closeables.closeQuietly(channel);
        }
    }

    /** Counts one more connection of the user; false if that would exceed the limit. */
    private boolean countConnection(String user) {
        if (connectionsPerUser.merge(user, 1, Integer::sum) <= settings.maxConnections()) {
            return true;
        }
        uncountConnection(user);
        return false;
    }

    private void uncountConnection(String user) {
        connectionsPerUser.computeIfPresent(user, (name, count) -> count > 1 ? count - 1 : null);
    }

    private void connect(SocketChannel channel, String user) {
        SocketEventLoop clientLoop;
        try {
            channel.configureBlocking(false);
            clientLoop = loops.acquire(environment.logger());
        } catch (IOException | RuntimeException | OutOfMemoryError noResources) {
            // OutOfMemoryError: the system starts no more threads. Other connections are not affected.
            uncountConnection(user);
            reject(channel, user, "no resources for another connection: " + noResources.getMessage());
            return;
        }
        begin(channel, clientLoop, user);
    }

    private void begin(SocketChannel channel, SocketEventLoop clientLoop, String user) {
        var peer = new Peer(
                new Principal(user, "peer-credentials"),
                TransportTraits.Shape.SHARED_STREAM,
                "unix",
                "unix:%s#%d".formatted(settings.path(), accepted.incrementAndGet()));
        var client = new ClientConnection(channel, clientLoop, peer);
        clients.add(client);
        limitSilence(client);
        try {
            client.begin();
        } catch (RuntimeException bug) {
            client.end();
            throw bug;
        }
        if (closed) {
            client.end();
        }
    }

    /** Limits the time until the client sends its first byte, and how many connections have sent nothing. */
    private void limitSilence(ClientConnection client) {
        var grace = settings.grace();
        client.grace = environment
                .timekeeper()
                .schedule(
                        grace,
                        () -> client.endIfSilent("it sent nothing for %d ms ('grace')".formatted(grace.toMillis())));
        silent.add(client);
        var oldest = silent.size() > settings.maxSilentConnections() ? silent.poll() : null;
        if (oldest != null) {
            var why = "more than %d connections have sent nothing ('max-silent-connections'); the oldest is closed"
                    .formatted(settings.maxSilentConnections());
            oldest.endIfSilent(why);
            rejected.flood(oldest.user(), why);
        }
    }

    private void reject(SocketChannel channel, String user, String why) {
        Closeables.closeQuietly(channel);
        rejected.unauthorized(user, why);
    }

    private void remove(ClientConnection client) {
        if (clients.remove(client)) {
            client.silenceEnded();
            uncountConnection(client.user());
            loops.release();
        }
    }

    /** One client: carries bytes between its socket and its {@link ClientLineConnection}. Any thread may end it. */
    private final class ClientConnection implements SocketConnection.Listener {
        private final SocketConnection socket;
        private final ClientLineConnection line;
        private volatile boolean hasSent;
        private volatile Timekeeper.Alarm grace = () -> {};

        private ClientConnection(SocketChannel channel, SocketEventLoop loop, Peer peer) {
            this.socket = new SocketConnection(channel, loop, environment.timekeeper(), this);
            this.line = new ClientLineConnection(socket, peer, settings.lines(), environment);
        }

        /** Starts to read, unless the acceptor rejects the client. */
        private void begin() {
            if (line.start(acceptor)) {
                socket.begin();
            }
        }

        private void silenceEnded() {
            grace.cancel();
            silent.remove(this);
        }

        /** Ends the connection if the client has sent nothing by now. */
        private void endIfSilent(String why) {
            socket.readThen(() -> {
                if (!hasSent) {
                    line.lost(why);
                }
            });
        }

        private void end() {
            line.close();
        }

        private String user() {
            return line.peer().principal().name();
        }

        @Override
        public void read(ByteBuffer bytes) {
            if (!hasSent) {
                hasSent = true;
                silenceEnded();
            }
            line.received(bytes);
        }

        @Override
        public void halfClosed() {
            line.halfClosed();
        }

        @Override
        public void lost(String why) {
            line.lost(why);
        }

        @Override
        public void writable() {
            line.writable();
        }

        @Override
        public void closed() {
            remove(this);
        }
    }

    /** Reports rejected connections to the log and the audit trail. Any thread may use it. */
    private final class RejectedPeers {
        private final PowerOfTwoSampler occurrences = new PowerOfTwoSampler();

        /** Reports a user who may not connect. */
        void unauthorized(String user, String why) {
            report(AuditNote.PEER_REFUSED, user, why, "rejected a connection of user '%s': %s".formatted(user, why));
        }

        /** Reports that there are too many connections; {@code user} is empty if the user is unknown. */
        void flood(String user, String why) {
            report(AuditNote.CONNECTION_FLOOD, user, why, why);
        }

        private void report(String kind, String user, String why, String message) {
            occurrences.count(kind + user).ifPresent(count -> {
                var socket = settings.path();
                var soFar = Long.toString(count);
                environment
                        .logger()
                        .log(
                                System.Logger.Level.WARNING,
                                "[mcp-bridge] unix:{0} {1} ({2} so far)",
                                socket,
                                message,
                                soFar);
                acceptor.note(new AuditNote(
                        kind, Map.of("listener", "unix:" + socket, "user", user, "reason", why, "count", soFar)));
            });
        }
    }
}
