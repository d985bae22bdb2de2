package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The posts of one transport that have not ended, and their deadlines. Any thread may use it. */
final class UnderWay {
    private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(5);

    private final Timekeeper timekeeper;
    private final Map<Outgoing, Post> posts = new ConcurrentHashMap<>();
    private final DeadlineWatch deadlines;
    private final AtomicLong pings = new AtomicLong();
    private volatile boolean isClosed;

    UnderWay(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.deadlines = new DeadlineWatch(timekeeper, this::expire);
    }

    /** Takes a post before it leaves; false if it must not any more. */
    boolean add(Post post) {
        posts.put(post.out(), post);
        if (isClosed) {
            return false;
        }
        deadlines.add(post.out().deadline());
        return true;
    }

    @Nullable
    Post remove(Outgoing out) {
        return posts.remove(out);
    }

    /** The request with this id. */
    Optional<Post> find(MessageId id) {
        return posts.values().stream()
                .filter(post -> post.out().message() instanceof Request request
                        && request.id().equals(id))
                .findFirst();
    }

    /** Withdraws all of them; nothing is told of any. */
    void close() {
        isClosed = true;
        deadlines.stop();
        posts.values().forEach(Post::withdraw);
        posts.clear();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Legacy servers do not take a closed stream for a cancellation; they have to be told. */
    void cancelOnWire(Post post, String reason) {
        var out = post.out();
        boolean isCancellable = out.message() instanceof Request && !Session.isInitialize(out);
        if (!isCancellable || out.version().era() != Era.LEGACY || isClosed) {
            return;
        }
        var id = ((Request) out.message()).id().raw();
        var params = "{\"requestId\":%s,\"reason\":%s}".formatted(id, JsonText.quote(reason));
        var deadline = Deadline.after(CANCEL_PATIENCE, timekeeper);
        var cancel = Outgoing.of(Notification.of(Methods.CANCELLED, params), out.version(), deadline)
                .withHeaders(out.headers());
        var told = new Post(cancel, post.session(), new Unheard(over -> posts.remove(over.out())));
        if (add(told)) {
            post.session().pool().runUrgent(told);
        }
    }

    /** Asks for a sign of life, which comes on a stream of its own; nobody hears the answer. */
    void ping(Session place, Duration patience) {
        var id = MessageId.of("mcp-bridge-ping-" + pings.incrementAndGet());
        var request = Request.of(id, Methods.PING, "{}");
        var out = Outgoing.of(request, ProtocolVersion.V2024_11_05, Deadline.after(patience, timekeeper));
        var told = new Post(out, place, Unheard.answeredElsewhere(over -> posts.remove(over.out())));
        if (add(told)) {
            place.pool().runUrgent(told);
        }
    }

    /** Ends what is overdue, and tells what will be so next. */
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

    private void timedOut(Post post) {
        posts.remove(post.out());
        var withdrawal = post.withdraw();
        if (withdrawal == Withdrawal.TOO_LATE) {
            return;
        }
        if (withdrawal == Withdrawal.MAYBE_SENT) {
            cancelOnWire(post, "timed out");
        }
        var session = post.session();
        var failure = session.target().silent(post.out().deadline().span(), withdrawal.delivery());
        session.departures().over(post);
        post.tellFailed(TransportFailure.of(TransportFailure.Kind.REQUEST_FAILED, failure));
    }
}
