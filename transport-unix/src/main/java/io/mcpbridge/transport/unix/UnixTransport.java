package io.mcpbridge.transport.unix;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A connection to a server over a Unix socket, one message a line; from {@link #open} on a {@link UnixLink}. */
final class UnixTransport implements Transport {
    private final UnixTransportSettings settings;
    private final Environment environment;
    private final SocketLoops loops;
    private final AtomicBoolean opened = new AtomicBoolean();
    private volatile boolean closed;
    private volatile @Nullable UnixLink link;

    UnixTransport(UnixTransportSettings settings, Environment environment, SocketLoops loops) {
        this.settings = settings;
        this.environment = environment;
        this.loops = loops;
    }

    @Override
    public void open(Receiver receiver, Deadline deadline) throws InterruptedException {
        if (closed || !opened.compareAndSet(false, true)) {
            throw new IllegalStateException("a transport is opened once, before it is closed; make another one");
        }
        var channel = new Connecting(settings.path(), deadline).connect();
        var connected = new UnixLink(channel, settings, environment, loops, receiver);
        link = connected;
        connected.begin();
        if (closed) {
            connected.end(Closed.byUs());
        }
    }

    @Override
    public void send(Outgoing out) {
        connected().send(out);
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        return connected().abandon(out, reason);
    }

    @Override
    public TransportTraits traits() {
        return TransportTraits.of(TransportTraits.Shape.SHARED_STREAM, "unix", "unix:" + settings.path());
    }

    @Override
    public void close() {
        closed = true;
        var current = link;
        if (current != null) {
            current.end(Closed.byUs());
        }
    }

    private UnixLink connected() {
        var current = link;
        if (current == null) {
            throw new IllegalStateException("the transport to unix:%s is not open".formatted(settings.path()));
        }
        return current;
    }
}
