package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportFailure;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What is said between an open transport and its server: posts, the streams beside them, and what the receiver hears
 * of both. Any thread may use it.
 */
final class Conversation implements PostOwner {
    private final Transport.Receiver receiver;
    private final Session session;
    private final UnderWay underWay;
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable EventSession events;
    private volatile @Nullable ListenStream listening;
    private volatile ProtocolVersion spoken = ProtocolVersion.LATEST_LEGACY;

    Conversation(Transport.Receiver receiver, Session session) {
        this.receiver = receiver;
        this.session = session;
        this.underWay = new UnderWay(session.environment().timekeeper());
    }

    Session session() {
        return session;
    }

    /** The revision of the last handshake. */
    ProtocolVersion spoken() {
        return spoken;
    }

    /** What is sent once this has stopped ends with it, as all that is under way. */
    void send(Outgoing out) {
        var place = Optional.ofNullable(events).flatMap(EventSession::posting).orElse(session);
        var post = new Post(out, place, this);
        var problem = RequestHead.problem(out.headers());
        if (problem.isPresent()) {
            post.fail(Failure.of(ErrorCode.INVALID_REQUEST, problem.get()));
        } else if (underWay.add(post)) {
            place.departures().run(post);
        } else {
            underWay.remove(out);
        }
    }

    boolean abandon(Outgoing out, String reason) {
        var post = underWay.remove(out);
        if (post == null) {
            return false;
        }
        var withdrawal = post.withdraw();
        post.session().departures().over(post);
        if (withdrawal == Withdrawal.MAYBE_SENT) {
            underWay.cancelOnWire(post, reason);
        }
        return withdrawal == Withdrawal.NOT_SENT;
    }

    /** From now on messages are posted where the server says on this stream, and answered on it. */
    void goOn(EventSession on) {
        events = on;
        if (underWay.isClosed()) {
            on.close();
        }
    }

    /** Asks whether anybody is there; the answer comes on the stream that belongs to no request. */
    void ping(Session place) {
        underWay.ping(place, session.settings().connectTimeout());
    }

    /** Something has come on a stream that belongs to no request. */
    void heard(Message message) {
        var asked =
                message instanceof Response response ? response.id().flatMap(underWay::find) : Optional.<Post>empty();
        if (asked.isPresent()) {
            asked.get().answered((Response) message);
        } else {
            receiver.message(message, Optional.empty());
        }
    }

    void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        answerTo.flatMap(underWay::find).ifPresent(post -> {
            underWay.remove(post.out());
            post.withdraw();
            post.session().departures().over(post);
        });
        receiver.unreadable(why, answerTo);
    }

    /** Ends what is under way without telling of it. */
    void stop() {
        if (!isStopped.compareAndSet(false, true)) {
            return;
        }
        underWay.close();
        var stream = listening;
        if (stream != null) {
            stream.stop();
        }
        var eventStream = events;
        if (eventStream != null) {
            eventStream.close();
        }
    }

    /** Tells the end, once. */
    void closed(Closed why) {
        stop();
        if (isClosed.compareAndSet(false, true)) {
            receiver.closed(why);
        }
    }

    @Override
    public boolean hearsAnswersElsewhere() {
        return events != null;
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
    public void taken(Post post) {
        post.session().departures().over(post);
    }

    @Override
    public void accepted(Post post) {
        underWay.remove(post.out());
        post.session().departures().over(post);
        boolean isLegacy = post.out().version().era() == Era.LEGACY;
        if (Session.isInitialized(post.out()) && isLegacy && events == null) {
            spoken = post.out().version();
            listen();
        }
    }

    private void listen() {
        var stream = new ListenStream(session, spoken, receiver);
        listening = stream;
        stream.start();
        if (underWay.isClosed()) {
            stream.stop();
        }
    }

    @Override
    public void answered(Post post, Response answer) {
        underWay.remove(post.out());
        post.session().departures().over(post);
        receiver.message(answer, events == null ? Optional.of(post.out()) : Optional.empty());
    }

    @Override
    public void failed(Post post, TransportFailure why) {
        underWay.remove(post.out());
        post.session().departures().over(post);
        if (events == null && EventFallback.isDue(post, why)) {
            new EventFallback(this, post.out(), why).begin();
        } else {
            receiver.failed(post.out(), why);
        }
    }

    /** A request has failed for good. */
    void failed(Outgoing out, TransportFailure why) {
        receiver.failed(out, why);
    }
}
