package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.stream.ClientLineConnection;
import io.mcpbridge.stream.ClientStreamLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the client that started this process, over the process's standard streams.
 *
 * <p>While it runs, standard output belongs to the protocol: output of other code goes to standard error. The client
 * ends the connection by closing standard input; calls in progress may then finish within a time-out.
 */
public final class StdioListener implements Listener {
    private static final int CHUNK = 64 << 10;

    private final StdioListenerSettings settings;
    private final Environment environment;
    private final Supplier<StandardStreams> source;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Serving serving;

    @GuardedBy("lock")
    private boolean isClosed;

    /** Creates a listener on the streams of this process. */
    public StdioListener(StdioListenerSettings settings, Environment environment) {
        this(settings, environment, StandardStreams::ofProcess);
    }

    /** Creates a listener on other streams, which it closes. */
    public StdioListener(StdioListenerSettings settings, Environment environment, InputStream in, OutputStream out) {
        this(settings, environment, () -> StandardStreams.of(in, out));
    }

    private StdioListener(StdioListenerSettings settings, Environment environment, Supplier<StandardStreams> source) {
        this.settings = settings;
        this.environment = environment;
        this.source = source;
    }

    @Override
    public void start(Acceptor acceptor) {
        Serving started;
        lock.lock();
        try {
            if (isClosed || serving != null) {
                throw new IllegalStateException("the stdio listener was started or closed before");
            }
            started = new Serving(source.get());
            serving = started;
        } finally {
            lock.unlock();
        }
        started.start(acceptor);
    }

    @Override
    public URI address() {
        return URI.create("stdio:///");
    }

    /** Does nothing: the only client is connected already. */
    @Override
    public void stopAccepting() {}

    @Override
    public void close() {
        Serving last;
        lock.lock();
        try {
            isClosed = true;
            last = serving;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
    }

    private static Peer peer() {
        var user = System.getProperty("user.name", "");
        var principal = user.isEmpty() ? Principal.ANONYMOUS : new Principal(user, "process");
        return new Peer(principal, TransportTraits.Shape.SHARED_STREAM, "pipe", "stdio");
    }

    /** The streams in use, and the connection over them. */
    private final class Serving {
        private final StandardStreams streams;
        private final PipeSink sink;
        private final ClientLineConnection connection;

        Serving(StandardStreams streams) {
            this.streams = streams;
            this.sink = new PipeSink(streams.out(), streams.hasRoomFor(), streams.hangUp());
            this.connection = new ClientLineConnection(sink, peer(), settings.lines(), environment);
        }

        void start(Acceptor acceptor) {
            sink.start("stdio-output", this::write);
            if (connection.start(acceptor)) {
                BackgroundThreads.start("stdio-input", this::readInput);
            }
        }

        /** Runs on the writer thread. */
        private void write() {
            try {
                connection.writable();
            } catch (RuntimeException failed) {
                // The outermost frame of the thread, without which nothing would be written any more.
                connection.lost("a fault in the bridge: " + failed);
            }
        }

        /** Runs on the reader thread. */
        private void readInput() {
            var chunk = new byte[CHUNK];
            try {
                for (var read = streams.in().read(chunk);
                        read >= 0;
                        read = streams.in().read(chunk)) {
                    connection.received(ByteBuffer.wrap(chunk, 0, read));
                }
                onInputEnd();
            } catch (IOException broken) {
                connection.lost("standard input cannot be read: " + broken.getMessage());
            } catch (RuntimeException failed) {
                // The outermost frame of the thread; without it the client would wait for ever.
                environment.logger().log(System.Logger.Level.WARNING, "[mcp-bridge] reading a client failed", failed);
                connection.lost("a fault in the bridge: " + failed);
            }
        }

        /**
         * Lets the open calls finish within the time-out. The client may still wait for answers, as a shell does that
         * pipes requests in, or it may have ended: a pipe shows that only when it is written to.
         */
        private void onInputEnd() {
            environment
                    .timekeeper()
                    .schedule(
                            settings.drainTimeout(),
                            () -> connection.lost("its calls did not end after standard input did"));
            connection.halfClosed();
        }

        void close() {
            connection.close();
            sink.close();
            streams.release().run();
        }
    }

    /** Provides {@code stdio}: a listener for the client that started this process, on the standard streams. */
    public static final class StdioListenerProvider implements ListenerProvider {

        @Override
        public Id id() {
            return new Id("stdio", SPI_VERSION);
        }

        @Override
        public Listener create(Settings settings, Environment environment) {
            return new StdioListener(
                    StdioListenerSettings.from(settings, ClientStreamLimits.of(environment.limits())), environment);
        }
    }
}
