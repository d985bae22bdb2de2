package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.transport.http.internal.SharedEventLoopGroup;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Serves Streamable HTTP on one port. Any thread may use it. */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends is of no interest
final class HttpListener implements Listener {
    private static final int BACKLOG = 1024;
    private static final long CLOSE_MILLIS = 2_000;

    private final HttpListenerSettings settings;
    private final Environment environment;
    private final SharedEventLoopGroup loops;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable Running running;
    private volatile @Nullable ServerSocketChannel bound;
    private volatile int port;

    HttpListener(HttpListenerSettings settings, Environment environment, SharedEventLoopGroup loops) {
        this.settings = settings;
        this.environment = environment;
        this.loops = loops;
        this.port = settings.port();
    }

    @Override
    public void bind() {
        if (bound != null || isClosed.get()) {
            throw new IllegalStateException(
                    "the listener at '%s' was bound before; create another one".formatted(where()));
        }
        var address = settings.address();
        try {
            var opened = ServerSocketChannel.open();
            bound = opened;
            port = opened.bind(address, BACKLOG).socket().getLocalPort();
        } catch (IOException failed) {
            unbind();
            var words = "Cannot listen at '%s': %s. Stop the program that uses the port, or choose another 'port'.";
            throw TransportException.of(
                    Failure.of(ErrorCode.PROVIDER_INIT_FAILED, words.formatted(where(), failed.getMessage()))
                            .withCause(failed));
        }
    }

    @Override
    public void start(Acceptor acceptor) {
        if (bound == null || running != null || isClosed.get()) {
            bind();
        }
        var peer = new Peer(Principal.ANONYMOUS, TransportTraits.Shape.STREAM_PER_REQUEST, "tcp", where());
        var intake = acceptor.connected(peer)
                .orElseThrow(() ->
                        TransportException.initFailed("The acceptor rejected the clients of '%s'".formatted(where())));
        var connections = new ListenerConnections(new ListenerContext(settings, environment, acceptor, intake));
        var lease = loops.lease();
        try {
            running = new Running(register(connections, lease), connections, intake, lease);
        } finally {
            if (running == null) {
                lease.close();
            }
        }
        connections.watch();
    }

    private Channel register(ListenerConnections connections, SharedEventLoopGroup.Lease lease) {
        return new ServerBootstrap()
                .group(lease.group())
                .channelFactory(() -> new ClientSocket.Server(Objects.requireNonNull(bound, "bound")))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(connections)
                .register()
                .syncUninterruptibly()
                .channel();
    }

    private void unbind() {
        var open = bound;
        bound = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException closed) {
                // It no longer listens.
            }
        }
    }

    private String where() {
        return settings.host() + ":" + settings.port();
    }

    @Override
    public URI address() {
        var host = settings.host().indexOf(':') >= 0 && !settings.host().startsWith("[")
                ? "[" + settings.host() + "]"
                : settings.host();
        return URI.create("http://" + host + ":" + port + settings.path());
    }

    @Override
    public void stopAccepting() {
        var now = running;
        if (now == null) {
            unbind();
        } else {
            now.server.close().awaitUninterruptibly(CLOSE_MILLIS);
        }
    }

    @Override
    public void close() {
        var now = running;
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        if (now == null) {
            unbind();
            return;
        }
        now.server.close();
        var ended = now.connections.close();
        if (!now.lease.isHere()) {
            ended.awaitUninterruptibly(CLOSE_MILLIS);
        }
        now.lease.close();
        now.intake.closed();
    }

    /** The parts of a listener that has started. */
    private record Running(
            Channel server, ListenerConnections connections, Intake intake, SharedEventLoopGroup.Lease lease) {}
}
