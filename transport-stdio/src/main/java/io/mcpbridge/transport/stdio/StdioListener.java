package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.stream.LineConnection;
import io.mcpbridge.stream.LineContext;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the one client that started us, over our own standard streams.
 *
 * <p>While it runs standard output is the protocol's: what others print goes to standard error. The client
 * ends the connection by ending our standard input; calls under way may then finish for a while.
 */
public final class StdioListener implements Listener {
    private final StdioListenerSettings settings;
    private final Environment environment;
    private final Supplier<StandardStreams> source;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Serving serving;

    @GuardedBy("lock")
    private boolean isClosed;

    /** A listener on the streams of this process. */
    public StdioListener(StdioListenerSettings settings, Environment environment) {
        this(settings, environment, StandardStreams::ofProcess);
    }

    /** A listener on streams that stand for those of the process; closing it closes them. */
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

    /** Does nothing: there is only the one client, and it is there already. */
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

    /** The streams in use, and what serves them. */
    private final class Serving {
        private final StandardStreams streams;
        private final OutputWire wire;
        private final LineConnection connection;

        Serving(StandardStreams streams) {
            this.streams = streams;
            this.wire = new OutputWire(streams);
            this.connection = new LineConnection(wire, peer(), new LineContext(settings.lines(), environment));
        }

        void start(Acceptor acceptor) {
            wire.start(connection::writable, connection::lost);
            if (connection.start(acceptor)) {
                var input = new InputPump(streams.in(), connection, settings.finishPatience(), environment);
                Threads.start("stdio-input", input::pump);
            }
        }

        void close() {
            connection.close();
            wire.close();
            streams.giveBack();
        }
    }
}
