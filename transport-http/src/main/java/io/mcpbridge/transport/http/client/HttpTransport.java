package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.transport.http.internal.EventLoops;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Streamable HTTP to one server: each message is a POST, each answer has its own stream.
 *
 * <p>One transport is one session of the protocol: it remembers what the server named it at {@code initialize}.
 * It never sends a message twice, unless it knows that not a byte of the first one has left.
 */
final class HttpTransport implements Transport {

    /** How the server is spoken to from the start. */
    enum Style {
        /** Streamable HTTP, and HTTP+SSE with a server that knows nothing else. */
        STREAMABLE(TransportTraits.Shape.STREAM_PER_REQUEST),
        /** HTTP+SSE of 2024-11-05. */
        EVENTS(TransportTraits.Shape.SHARED_STREAM);

        private final TransportTraits.Shape shape;

        Style(TransportTraits.Shape shape) {
            this.shape = shape;
        }
    }

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private final Style style;
    private final HttpTransportSettings settings;
    private final Environment environment;
    private final EventLoops loops;
    private final Target target;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable Opened opened;

    HttpTransport(Style style, HttpTransportSettings settings, Environment environment, EventLoops loops) {
        this.style = style;
        this.settings = settings;
        this.environment = environment;
        this.loops = loops;
        this.target = Target.of(settings.url());
    }

    @Override
    public void open(Receiver receiver, Deadline deadline) throws InterruptedException {
        if (opened != null || isClosed.get()) {
            throw new IllegalStateException("the transport to '%s' was opened before".formatted(target.url()));
        }
        var lease = loops.lease();
        boolean isOpen = false;
        try {
            var dialer = new Dialer(target, settings.connectTimeout(), lease, environment.workers());
            var pool = new ConnectionPool(target, dialer, environment.timekeeper(), settings);
            isOpen = new FirstConnection(target, pool).await(deadline);
            var conversation = new Conversation(receiver, new Session(target, pool, settings, environment));
            isOpen = false;
            try {
                // Before it begins: what the server says first may have to be answered at once.
                opened = new Opened(lease, pool, conversation);
                begin(conversation, deadline);
                isOpen = !isClosed.get();
            } finally {
                if (!isOpen) {
                    opened = null;
                    pool.close();
                }
            }
            if (!isOpen) {
                throw TransportException.of(target.closed());
            }
        } finally {
            if (!isOpen) {
                lease.close();
            }
        }
    }

    private void begin(Conversation conversation, Deadline deadline) throws InterruptedException {
        if (style == Style.EVENTS) {
            new EventOpening(conversation).await(deadline);
        }
    }

    @Override
    public void send(Outgoing out) {
        opened().conversation.send(out);
    }

    private Opened opened() {
        var open = opened;
        if (open == null) {
            throw new IllegalStateException("the transport to '%s' is not open".formatted(target.url()));
        }
        return open;
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        return opened().conversation.abandon(out, reason);
    }

    @Override
    public TransportTraits traits() {
        return TransportTraits.of(style.shape, "tcp", target.url());
    }

    @Override
    public Optional<String> sessionId() {
        var open = opened;
        return open == null ? Optional.empty() : open.conversation.session().id();
    }

    @Override
    public void close() {
        var open = opened;
        if (!isClosed.compareAndSet(false, true) || open == null) {
            return;
        }
        open.conversation.stop();
        sayGoodbye(open);
        open.pool.close();
        open.lease.close();
        open.conversation.closed(Closed.byUs());
    }

    private static void sayGoodbye(Opened open) {
        var session = open.conversation.session();
        if (session.id().isPresent()) {
            var goodbye = new Goodbye(session, open.conversation.spoken());
            open.pool.runUrgent(goodbye);
            if (!open.lease.isHere()) {
                goodbye.await(CLOSE_PATIENCE);
            }
        }
    }

    /** What there is once it is open. */
    private record Opened(EventLoops.Lease lease, ConnectionPool pool, Conversation conversation) {}
}
