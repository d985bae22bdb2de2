package io.mcpbridge.transport.http.client;

import io.mcpbridge.transport.http.internal.EventLoops;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections to one server. Names are resolved each time anew, and their addresses are tried one after
 * the other.
 */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends is of no interest
final class Dialer {
    private static final int MOST_HEADER_BYTES = 32 << 10;
    private static final int CHUNK_BYTES = 64 << 10;

    private final Target target;
    private final Duration timeout;
    private final EventLoops.Lease loops;
    private final Executor workers;

    Dialer(Target target, Duration timeout, EventLoops.Lease loops, Executor workers) {
        this.target = target;
        this.timeout = timeout;
        this.loops = loops;
        this.workers = workers;
    }

    /** Connects, TLS included, and tells the connection or why there is none; a worker waits for the name. */
    void dial(Connection.Owner owner, BiConsumer<@Nullable Connection, @Nullable Throwable> result) {
        try {
            workers.execute(() -> dialHere(owner, result));
        } catch (RejectedExecutionException noWorkers) {
            result.accept(null, noWorkers);
        }
    }

    /** The same, but this thread waits for the name: one that waits anyway must not need a worker beside it. */
    void dialHere(Connection.Owner owner, BiConsumer<@Nullable Connection, @Nullable Throwable> result) {
        List<InetAddress> addresses;
        try {
            addresses = List.of(InetAddress.getAllByName(target.host()));
        } catch (UnknownHostException unknown) {
            result.accept(null, new IOException("the name '%s' cannot be resolved".formatted(target.host()), unknown));
            return;
        }
        connect(addresses, owner, result);
    }

    /** On an event loop from the start: while the loops are being shut down, no other thread could hear of the end. */
    private void connect(
            List<InetAddress> addresses,
            Connection.Owner owner,
            BiConsumer<@Nullable Connection, @Nullable Throwable> result) {
        var loop = loops.next();
        try {
            loop.execute(() -> connect(loop, addresses, owner, result));
        } catch (RejectedExecutionException shutDown) {
            result.accept(null, new IOException("the connection was closed by the bridge", shutDown));
        }
    }

    private void connect(
            EventLoop loop,
            List<InetAddress> addresses,
            Connection.Owner owner,
            BiConsumer<@Nullable Connection, @Nullable Throwable> result) {
        var bootstrap = new Bootstrap()
                .group(loop)
                .channelFactory(KeptChannel::new)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(new Pipeline(owner));
        bootstrap
                .connect(new InetSocketAddress(addresses.get(0), target.port()))
                .addListener((ChannelFutureListener) done -> {
                    if (done.isSuccess()) {
                        secured(done.channel(), result);
                    } else if (addresses.size() > 1) {
                        connect(loop, addresses.subList(1, addresses.size()), owner, result);
                    } else {
                        result.accept(null, done.cause());
                    }
                });
    }

    private static void secured(Channel channel, BiConsumer<@Nullable Connection, @Nullable Throwable> result) {
        var connection = channel.pipeline().get(Connection.class);
        var tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            result.accept(connection, null);
            return;
        }
        tls.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                result.accept(connection, null);
            } else {
                channel.close();
                result.accept(
                        null, new IOException("TLS failed: " + done.cause().getMessage(), done.cause()));
            }
        });
    }

    private SslHandler tls() {
        try {
            var engine = SSLContext.getDefault().createSSLEngine(target.host(), target.port());
            engine.setUseClientMode(true);
            var parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
            var handler = new SslHandler(engine);
            handler.setHandshakeTimeoutMillis(timeout.toMillis());
            return handler;
        } catch (NoSuchAlgorithmException withoutTls) {
            throw new IllegalStateException("this Java runtime has no default TLS context", withoutTls);
        }
    }

    /** What stands between the socket and the connection. */
    private final class Pipeline extends ChannelInitializer<Channel> {
        private final Connection.Owner owner;

        private Pipeline(Connection.Owner owner) {
            this.owner = owner;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (target.isTls()) {
                channel.pipeline().addLast(tls());
            }
            var strict = new HttpDecoderConfig()
                    .setMaxHeaderSize(MOST_HEADER_BYTES)
                    .setMaxChunkSize(CHUNK_BYTES)
                    .setStrictLineParsing(true);
            channel.pipeline().addLast(new HttpResponseDecoder(strict));
            channel.pipeline().addLast(new Connection(channel, owner, target.isTls()));
        }
    }
}
