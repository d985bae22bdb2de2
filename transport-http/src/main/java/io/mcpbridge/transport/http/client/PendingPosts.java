package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Tracks the posts of one transport that have not ended. Any thread may use it. */
final class PendingPosts {
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

    private final Timekeeper timekeeper;
    private final Map<Outgoing, PostRequest> posts = new ConcurrentHashMap<>();
    private final AtomicLong pings = new AtomicLong();
    private volatile boolean isClosed;

    PendingPosts(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** Adds a post before it is sent; false if it must not be sent any more. */
    boolean add(PostRequest post) {
        posts.put(post.out(), post);
        return !isClosed;
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
        send(new PostRequest(cancel, post.context(), new OwnPost()));
    }

    /** Sends a ping of the bridge to {@code context}, whose answer comes on a separate stream and is not reported. */
    void ping(HttpTransportContext context, Duration timeout) {
        var id = MessageId.of("mcp-bridge-ping-" + pings.incrementAndGet());
        var request = Request.of(id, Methods.PING, "{}");
        var out = Outgoing.of(request, ProtocolVersion.V2024_11_05, Deadline.after(timeout, timekeeper));
        send(new PostRequest(out, context, new OwnPost()));
    }

    private void send(PostRequest own) {
        if (add(own)) {
            own.context().pool().runUrgent(own);
        }
    }

    /** Listens to a post that the transport sends itself: only its end matters. */
    private final class OwnPost implements PostListener {

        @Override
        public boolean hasSeparateAnswerStream() {
            return true;
        }

        @Override
        public void ended(PostRequest post) {
            posts.remove(post.out());
        }
    }
}
