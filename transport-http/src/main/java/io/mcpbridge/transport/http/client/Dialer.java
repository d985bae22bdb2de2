package io.mcpbridge.transport.http.client;

import io.mcpbridge.transport.http.internal.SharedEventLoopGroup;
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
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server. The name is resolved for each connection, and its addresses are tried in order. */
@SuppressWarnings("FutureReturnValueIgnored") // how a close ends is of no interest
final class Dialer {
    private static final int MAX_HEADER_BYTES = 32 << 10;
    private static final int CHUNK_BYTES = 64 << 10;

    private final Endpoint endpoint;
    private final Duration timeout;
    private final SharedEventLoopGroup.Lease loops;
    private final Executor workers;

    Dialer(Endpoint endpoint, Duration timeout, SharedEventLoopGroup.Lease loops, Executor workers) {
        this.endpoint = endpoint;
        this.timeout = timeout;
        this.loops = loops;
        this.workers = workers;
    }

    /**
     * Connects, including TLS, and passes the connection or the failure to {@code result}; a worker resolves the name.
     */
    void dial(HttpConnection.Owner owner, Result result) {
        try {
            workers.execute(() -> dialHere(owner, result));
        } catch (RejectedExecutionException noWorkers) {
            result.dialed(null, noWorkers);
        }
    }

    /** Like {@link #dial}, but the current thread resolves the name: a thread that waits anyway needs no worker. */
    void dialHere(HttpConnection.Owner owner, Result result) {
        List<InetAddress> addresses;
        try {
            addresses = List.of(InetAddress.getAllByName(endpoint.host()));
        } catch (UnknownHostException unknown) {
            result.dialed(
                    null, new IOException("the name '%s' cannot be resolved".formatted(endpoint.host()), unknown));
            return;
        }
        connect(addresses, owner, result);
    }

    /** Starts on an event loop: during their shutdown, no other thread would receive the result. */
    private void connect(List<InetAddress> addresses, HttpConnection.Owner owner, Result result) {
        var loop = loops.next();
        try {
            loop.execute(() -> connect(loop, addresses, owner, result));
        } catch (RejectedExecutionException shutDown) {
            result.dialed(null, new IOException("the connection was closed by the bridge", shutDown));
        }
    }

    private void connect(EventLoop loop, List<InetAddress> addresses, HttpConnection.Owner owner, Result result) {
        var bootstrap = new Bootstrap()
                .group(loop)
                .channelFactory(DirectSocket::new)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(handlers(owner));
        bootstrap
                .connect(new InetSocketAddress(addresses.get(0), endpoint.port()))
                .addListener((ChannelFutureListener) done -> {
                    if (done.isSuccess()) {
                        secured(done.channel(), result);
                    } else if (addresses.size() > 1) {
                        connect(loop, addresses.subList(1, addresses.size()), owner, result);
                    } else {
                        result.dialed(null, done.cause());
                    }
                });
    }

    private static void secured(Channel channel, Result result) {
        var connection = channel.pipeline().get(HttpConnection.class);
        var tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            result.dialed(connection, null);
            return;
        }
        tls.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                result.dialed(connection, null);
            } else {
                channel.close();
                result.dialed(
                        null, new IOException("TLS failed: " + done.cause().getMessage(), done.cause()));
            }
        });
    }

    private SslHandler tls() {
        try {
            var engine = SSLContext.getDefault().createSSLEngine(endpoint.host(), endpoint.port());
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

    /** Adds the handlers between the socket and the connection. */
    private ChannelInitializer<Channel> handlers(HttpConnection.Owner owner) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                if (endpoint.isTls()) {
                    channel.pipeline().addLast(tls());
                }
                var strict = new HttpDecoderConfig()
                        .setMaxHeaderSize(MAX_HEADER_BYTES)
                        .setMaxChunkSize(CHUNK_BYTES)
                        .setStrictLineParsing(true);
                channel.pipeline().addLast(new HttpResponseDecoder(strict));
                channel.pipeline().addLast(new HttpConnection(channel, owner, endpoint.isTls()));
            }
        };
    }

    /** Receives the connection, or why there is none. */
    interface Result {
        void dialed(@Nullable HttpConnection connection, @Nullable Throwable problem);
    }
}
