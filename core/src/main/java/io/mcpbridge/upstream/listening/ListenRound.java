package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.upstream.session.SessionLine;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One {@code subscriptions/listen} request to a server, from its sending to its end. */
final class ListenRound implements Reply {
    /** Long enough to be none: a listening ends when somebody ends it. */
    private static final Duration FOR_EVER = Duration.ofDays(3_650);

    private final SessionLine session;
    private final ListenFilter filter;
    private final BiConsumer<ListenRound, Outcome> ending;
    private final MessageId id;
    private volatile @Nullable Call call;
    private volatile boolean isAcknowledged;
    private volatile ListenFilter honoured = ListenFilter.NOTHING;

    ListenRound(SessionLine session, ListenFilter filter, BiConsumer<ListenRound, Outcome> ending) {
        this.session = session;
        this.filter = filter;
        this.ending = ending;
        this.id = session.mintId();
    }

    /** Our id of the request, which the server repeats in everything that belongs to it. */
    MessageId id() {
        return id;
    }

    ListenFilter filter() {
        return filter;
    }

    boolean isAcknowledged() {
        return isAcknowledged;
    }

    void begin(Timekeeper timekeeper) {
        var request = Request.of(id, Methods.SUBSCRIPTIONS_LISTEN, filter.params());
        var caller = Caller.builder().build();
        var asked = Call.of(request, caller, "listen-" + session.server(), Deadline.after(FOR_EVER, timekeeper));
        call = asked;
        session.sendOwn(asked, this);
    }

    /** What the server honours of the filter. */
    ListenFilter acknowledge(Notification notification) {
        honoured = read(notification);
        isAcknowledged = true;
        return honoured;
    }

    private static ListenFilter read(Notification acknowledgement) {
        try {
            var params = Json.rawMembers(acknowledgement.raw(Part.PARAMS).orElse("{}"));
            return ListenFilter.read(params.getOrDefault("notifications", "{}"));
        } catch (BridgeException unreadable) {
            return ListenFilter.NOTHING;
        }
    }

    /** Whether the server has acknowledged that it tells of this resource. */
    boolean honours(String uri) {
        return honoured.uris().contains(uri);
    }

    /** Ends it, since another one has taken its place or nobody wants to hear anything. */
    void drop() {
        var asked = call;
        if (asked != null) {
            asked.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        }
    }

    @Override
    public void event(Message progressOrLog) {}

    @Override
    public void done(Outcome outcome) {
        ending.accept(this, outcome);
    }
}
