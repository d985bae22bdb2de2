package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.transport.http.internal.EventLoops;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Streamable HTTP to one server: each message is a POST, each answer has its own stream.
 *
 * <p>One transport is one session of the protocol: it remembers what the server named it at {@code initialize}.
 * It never sends a message twice, unless it knows that not a byte of the first one has left.
 */
final class HttpTransport implements Transport {
    private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(5);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private final HttpTransportSettings settings;
    private final Environment environment;
    private final EventLoops loops;
    private final Target target;
    private final Map<Outgoing, Post> underWay = new ConcurrentHashMap<>();
    private final DeadlineWatch deadlines;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable Opened opened;
    private volatile @Nullable ListenStream listening;
    private volatile ProtocolVersion spoken = ProtocolVersion.LATEST_LEGACY;

    HttpTransport(HttpTransportSettings settings, Environment environment, EventLoops loops) {
        this.settings = settings;
        this.environment = environment;
        this.loops = loops;
        this.target = Target.of(settings.url());
        this.deadlines = new DeadlineWatch(environment.timekeeper(), this::expire);
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
            var session = new Session(target, pool, settings, environment);
            opened = new Opened(receiver, lease, pool, session, new Told(receiver));
            if (isClosed.get()) {
                pool.close();
                isOpen = false;
                throw TransportException.of(target.closed());
            }
        } finally {
            if (!isOpen) {
                lease.close();
            }
        }
    }

    @Override
    public void send(Outgoing out) {
        var open = opened();
        var post = new Post(out, open.session, open.told);
        var problem = RequestHead.problem(out.headers());
        if (problem.isPresent()) {
            post.fail(Failure.of(ErrorCode.INVALID_REQUEST, problem.get()));
            return;
        }
        underWay.put(out, post);
        if (isClosed.get()) {
            post.cannotConnect(Closed.byUs().toFailure());
            return;
        }
        deadlines.add(out.deadline());
        open.session.departures().run(post);
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
        var post = underWay.remove(out);
        if (post == null) {
            return false;
        }
        var withdrawal = post.withdraw();
        opened().session.departures().over(post);
        if (withdrawal == Withdrawal.MAYBE_SENT) {
            cancelOnWire(out, reason);
        }
        return withdrawal == Withdrawal.NOT_SENT;
    }

    /** Legacy servers do not take a closed stream for a cancellation; they have to be told. */
    private void cancelOnWire(Outgoing out, String reason) {
        boolean isCancellable = out.message() instanceof Request && !Session.isInitialize(out);
        if (!isCancellable || out.version().era() != Era.LEGACY || isClosed.get()) {
            return;
        }
        var id = ((Request) out.message()).id().raw();
        var params = "{\"requestId\":%s,\"reason\":%s}".formatted(id, JsonText.quote(reason));
        var deadline = Deadline.after(CANCEL_PATIENCE, environment.timekeeper());
        var cancel = Outgoing.of(Notification.of(Methods.CANCELLED, params), out.version(), deadline)
                .withHeaders(out.headers());
        var open = opened();
        var post = new Post(cancel, open.session, new Unheard(over -> underWay.remove(over.out())));
        underWay.put(cancel, post);
        deadlines.add(deadline);
        open.pool.runUrgent(post);
    }

    /** Ends what is overdue, and tells what will be so next. */
    private Optional<Deadline> expire() {
        Deadline next = null;
        for (var post : underWay.values()) {
            var deadline = post.out().deadline();
            if (deadline.isExpired()) {
                timedOut(post);
            } else {
                next = next == null ? deadline : next.earlier(deadline);
            }
        }
        return Optional.ofNullable(next);
    }

    private void timedOut(Post post) {
        underWay.remove(post.out());
        var withdrawal = post.withdraw();
        if (withdrawal == Withdrawal.TOO_LATE) {
            return;
        }
        if (withdrawal == Withdrawal.MAYBE_SENT) {
            cancelOnWire(post.out(), "timed out");
        }
        var failure = target.silent(post.out().deadline().span(), withdrawal.delivery());
        opened().session.departures().over(post);
        post.tellFailed(TransportFailure.of(TransportFailure.Kind.REQUEST_FAILED, failure));
    }

    @Override
    public TransportTraits traits() {
        return TransportTraits.of(TransportTraits.Shape.STREAM_PER_REQUEST, "tcp", target.url());
    }

    @Override
    public void close() {
        var open = opened;
        if (!isClosed.compareAndSet(false, true) || open == null) {
            return;
        }
        deadlines.stop();
        var stream = listening;
        if (stream != null) {
            stream.stop();
        }
        underWay.values().forEach(Post::withdraw);
        underWay.clear();
        if (open.session.id().isPresent()) {
            var goodbye = new Goodbye(open.session, spoken);
            open.pool.runUrgent(goodbye);
            if (!open.lease.isHere()) {
                goodbye.await(CLOSE_PATIENCE);
            }
        }
        open.pool.close();
        open.lease.close();
        open.receiver.closed(Closed.byUs());
    }

    private void listen(Opened open, ProtocolVersion version) {
        var stream = new ListenStream(open.session, version, open.receiver);
        listening = stream;
        stream.start();
        if (isClosed.get()) {
            stream.stop();
        }
    }

    /** What there is once it is open. */
    private record Opened(
            Receiver receiver, EventLoops.Lease lease, ConnectionPool pool, Session session, Post.Owner told) {}

    /** Passes on to the receiver what becomes of its messages. */
    private final class Told implements Post.Owner {
        private final Receiver receiver;

        private Told(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void written(Post post) {
            receiver.written(post.out());
        }

        @Override
        public void event(Post post, Message event) {
            receiver.message(event, Optional.of(post.out()));
        }

        @Override
        public void accepted(Post post) {
            underWay.remove(post.out());
            opened().session.departures().over(post);
            if (Session.isInitialized(post.out()) && post.out().version().era() == Era.LEGACY) {
                spoken = post.out().version();
                listen(opened(), post.out().version());
            }
        }

        @Override
        public void answered(Post post, Response answer) {
            underWay.remove(post.out());
            receiver.message(answer, Optional.of(post.out()));
        }

        @Override
        public void failed(Post post, TransportFailure why) {
            underWay.remove(post.out());
            opened().session.departures().over(post);
            receiver.failed(post.out(), why);
        }
    }
}
