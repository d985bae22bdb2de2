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
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.upstream.session.SessionLine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One {@code subscriptions/listen} request to a server, from its sending to its end. */
final class ListenRound implements Reply {
    /** Long enough to be none: a listening ends when somebody ends it. */
    private static final Duration FOR_EVER = Duration.ofDays(3_650);

    private enum Stage {
        OPEN,
        READING,
        ACKNOWLEDGED,
        /** The acknowledgement did not come in time; one that comes now is of no use. */
        OVERDUE
    }

    private final SessionLine session;
    private final ListenFilter filter;
    private final BiConsumer<ListenRound, Outcome> ending;
    private final MessageId id;
    private volatile @Nullable Call call;
    private volatile Timekeeper.Alarm alarm = () -> {};
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.OPEN);
    private volatile ListenFilter honoured = ListenFilter.NOTHING;

    ListenRound(SessionLine session, ListenFilter filter, BiConsumer<ListenRound, Outcome> ending) {
        this.session = session;
        this.filter = filter;
        this.ending = ending;
        this.id = session.mintId();
    }

    /** The id of the round that a notification belongs to, by its stream or by its own word. */
    static Optional<MessageId> idIn(Notification notification, Optional<Outgoing> stream) {
        if (stream.isPresent() && stream.get().message() instanceof Request request) {
            return Optional.of(request.id());
        }
        return notification.raw(Part.SUBSCRIPTION_ID).flatMap(MessageId::parse);
    }

    /** Our id of the request, which the server repeats in everything that belongs to it. */
    MessageId id() {
        return id;
    }

    ListenFilter filter() {
        return filter;
    }

    /** Whether it asks to hear of this resource. */
    boolean asksFor(String uri) {
        return filter.uris().contains(uri);
    }

    boolean isAcknowledged() {
        return stage.get() == Stage.ACKNOWLEDGED;
    }

    /** Sends the request; {@code patience} is how long its acknowledgement may take. */
    void begin(Timekeeper timekeeper, Duration patience) {
        var request = Request.of(id, Methods.SUBSCRIPTIONS_LISTEN, filter.params());
        var caller = Caller.builder().build();
        var asked = Call.of(request, caller, "listen-" + session.server(), Deadline.after(FOR_EVER, timekeeper));
        call = asked;
        alarm = timekeeper.schedule(patience, () -> overdue(patience));
        session.sendOwn(asked, this);
    }

    private void overdue(Duration patience) {
        if (stage.compareAndSet(Stage.OPEN, Stage.OVERDUE)) {
            ending.accept(this, Outcome.failed(new ListenFailures(session.server()).unacknowledged(patience)));
            drop();
        }
    }

    /** The server says what it honours of the filter; false if that comes too late. */
    boolean acknowledge(Notification notification) {
        if (!stage.compareAndSet(Stage.OPEN, Stage.READING)) {
            return false;
        }
        alarm.cancel();
        honoured = read(notification);
        stage.set(Stage.ACKNOWLEDGED);
        return true;
    }

    private static ListenFilter read(Notification acknowledgement) {
        try {
            var params = Json.rawMembers(acknowledgement.raw(Part.PARAMS).orElse("{}"));
            return ListenFilter.read(params.getOrDefault("notifications", "{}"));
        } catch (BridgeException unreadable) {
            return ListenFilter.NOTHING;
        }
    }

    /** What the server has acknowledged that it tells. */
    ListenFilter honoured() {
        return honoured;
    }

    /** Whether the server has acknowledged that it tells of this resource. */
    boolean honours(String uri) {
        return honoured.uris().contains(uri);
    }

    /** Ends it, since another one has taken its place or nobody wants to hear anything. */
    void drop() {
        alarm.cancel();
        var asked = call;
        if (asked != null) {
            asked.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        }
    }

    @Override
    public void event(Message progressOrLog) {}

    @Override
    public void done(Outcome outcome) {
        alarm.cancel();
        ending.accept(this, outcome);
    }
}
