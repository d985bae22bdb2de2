package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.transport.http.client.PostRequest.CancelResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Tracks the posts of one transport that have not ended, and their deadlines. Any thread may use it. */
final class PendingPosts {
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

    private final Timekeeper timekeeper;
    private final Map<Outgoing, PostRequest> posts = new ConcurrentHashMap<>();
    private final DeadlineTimer deadlines = new DeadlineTimer();
    private final AtomicLong pings = new AtomicLong();
    private volatile boolean isClosed;

    PendingPosts(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** Adds a post before it is sent; false if it must not be sent any more. */
    boolean add(PostRequest post) {
        posts.put(post.out(), post);
        if (isClosed) {
            return false;
        }
        deadlines.add(post.out().deadline());
        return true;
    }

    @Nullable
    PostRequest remove(Outgoing out) {
        return posts.remove(out);
    }

    /** The request with this id. */
    Optional<PostRequest> find(MessageId id) {
        return posts.values().stream()
                .filter(post -> post.out().message() instanceof Request request
                        && request.id().equals(id))
                .findFirst();
    }

    /** Cancels all posts without reporting any. */
    void close() {
        isClosed = true;
        deadlines.stop();
        posts.values().forEach(PostRequest::cancel);
        posts.clear();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Sends a cancellation: a legacy server does not take a closed stream for one. */
    void cancelOnWire(PostRequest post, String reason) {
        var out = post.out();
        boolean isCancellable = out.message() instanceof Request && !HttpTransportContext.isInitialize(out);
        if (!isCancellable || out.version().era() != Era.LEGACY || isClosed) {
            return;
        }
        var cancellation = Notification.cancelled(((Request) out.message()).id(), reason);
        var deadline = Deadline.after(CANCEL_TIMEOUT, timekeeper);
        var cancel = Outgoing.of(cancellation, out.version(), deadline).withHeaders(out.headers());
        send(new PostRequest(cancel, post.context(), new FireAndForget(false)));
    }

    /** Sends a ping of the bridge to {@code context}, whose answer comes on a separate stream and is not reported. */
    void ping(HttpTransportContext context, Duration timeout) {
        var id = MessageId.of("mcp-bridge-ping-" + pings.incrementAndGet());
        var request = Request.of(id, Methods.PING, "{}");
        var out = Outgoing.of(request, ProtocolVersion.V2024_11_05, Deadline.after(timeout, timekeeper));
        send(new PostRequest(out, context, new FireAndForget(true)));
    }

    private void send(PostRequest own) {
        if (add(own)) {
            own.context().pool().runUrgent(own);
        }
    }

    /** Ends the posts that are overdue, and returns the next deadline. */
    private Optional<Deadline> expire() {
        Deadline next = null;
        for (var post : posts.values()) {
            var deadline = post.out().deadline();
            if (deadline.isExpired()) {
                timedOut(post);
            } else {
                next = next == null ? deadline : next.earlier(deadline);
            }
        }
        return Optional.ofNullable(next);
    }

    private void timedOut(PostRequest post) {
        posts.remove(post.out());
        var result = post.cancel();
        if (result == CancelResult.TOO_LATE) {
            return;
        }
        if (result == CancelResult.MAYBE_SENT) {
            cancelOnWire(post, "timed out");
        }
        var context = post.context();
        var failure = context.endpoint().timedOut(post.out().deadline().span(), result.delivery());
        context.outbound().completed(post);
        post.reportFailed(RequestFailure.of(RequestFailure.Kind.REQUEST_FAILED, failure));
    }

    /** Listens to a post that the transport sends itself: only its end matters. */
    private final class FireAndForget implements PostListener {
        private final boolean hasSeparateAnswerStream;

        private FireAndForget(boolean hasSeparateAnswerStream) {
            this.hasSeparateAnswerStream = hasSeparateAnswerStream;
        }

        @Override
        public boolean hasSeparateAnswerStream() {
            return hasSeparateAnswerStream;
        }

        @Override
        public void written(PostRequest post) {}

        @Override
        public void event(PostRequest post, Message event) {}

        @Override
        public void accepted(PostRequest post) {
            posts.remove(post.out());
        }

        @Override
        public void answered(PostRequest post, Response answer) {
            posts.remove(post.out());
        }

        @Override
        public void unreadable(PostRequest post, ProtocolException why) {
            posts.remove(post.out());
        }

        @Override
        public void failed(PostRequest post, RequestFailure why) {
            posts.remove(post.out());
        }
    }

    /**
     * One alarm for the deadlines of all posts: an alarm per request would cost more than the request. Any thread may use it.
     */
    private final class DeadlineTimer {

        /** The least time between two checks, since a deadline that is held may be due at any moment. */
        private static final Duration MIN_PAUSE = Duration.ofMillis(20);

        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private long firesAt;

        @GuardedBy("lock")
        private Timekeeper.@Nullable Alarm alarm;

        @GuardedBy("lock")
        private boolean isStopped;

        /** Makes sure that the alarm fires at {@code deadline} at the latest. */
        void add(Deadline deadline) {
            fireIn(deadline.remaining());
        }

        private void fireIn(Duration pause) {
            lock.lock();
            try {
                long at = timekeeper.nanoTime() + pause.toNanos();
                if (isStopped || (alarm != null && firesAt - at <= 0)) {
                    return;
                }
                if (alarm != null) {
                    alarm.cancel();
                }
                firesAt = at;
                alarm = timekeeper.schedule(pause, this::fire);
            } finally {
                lock.unlock();
            }
        }

        private void fire() {
            lock.lock();
            try {
                alarm = null;
            } finally {
                lock.unlock();
            }
            var next = expire().map(Deadline::remaining);
            next.ifPresent(pause -> fireIn(pause.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : pause));
        }

        void stop() {
            lock.lock();
            try {
                isStopped = true;
                if (alarm != null) {
                    alarm.cancel();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
