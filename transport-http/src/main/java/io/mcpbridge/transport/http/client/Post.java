package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way to the server, from {@code send} to its one end.
 *
 * <p>The phase decides who ends it: whoever moves it to {@code ENDED} tells the {@link PostOwner}, nobody else.
 * Everything but the phase belongs to the event loop of the connection that carries it.
 */
final class Post implements Turn {

    private enum Phase {
        /** No byte of it was handed over. */
        QUEUED,
        /** It may have arrived. */
        WRITTEN,
        /** Its owner was told, or nobody wants it any more. */
        ENDED
    }

    private final Outgoing out;
    private final Session session;
    private final PostOwner owner;
    private final Silence silence;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.QUEUED);
    private volatile @Nullable Connection connection;
    private volatile @Nullable Resumption resumption;
    private @Nullable PostResponse response;
    private boolean wasTold;
    private boolean wasReplaced;

    Post(Outgoing out, Session session, PostOwner owner) {
        this.out = out;
        this.session = session;
        this.owner = owner;
        this.silence = new Silence(
                session.environment().timekeeper(), session.settings().streamTimeout(), this::silent);
    }

    Outgoing out() {
        return out;
    }

    Session session() {
        return session;
    }

    /** Whether the response to it has to bring an answer. */
    boolean awaitsAnswer() {
        return isRequest() && !owner.hearsAnswersElsewhere();
    }

    boolean isRequest() {
        return out.message() instanceof Request;
    }

    /** Whether it has neither ended nor been withdrawn. */
    boolean isUnderWay() {
        return phase.get() != Phase.ENDED;
    }

    /** Takes it back from any thread; the owner hears nothing of it any more. */
    Withdrawal withdraw() {
        var before = finish();
        closeConnection();
        return switch (before) {
            case QUEUED -> Withdrawal.NOT_SENT;
            case WRITTEN -> Withdrawal.MAYBE_SENT;
            case ENDED -> Withdrawal.TOO_LATE;
        };
    }

    /** Moves to the last phase; whoever sees another one before it has to tell. */
    private Phase finish() {
        var before = phase.getAndSet(Phase.ENDED);
        silence.stop();
        return before;
    }

    /** Ends the connection that carries it, and the stream that went on with it. */
    void closeConnection() {
        var current = connection;
        if (current != null) {
            current.close(this);
        }
        var resuming = resumption;
        if (resuming != null) {
            resuming.stop();
        }
    }

    @Override
    public boolean begin(Connection on) {
        connection = on;
        if (!phase.compareAndSet(Phase.QUEUED, Phase.WRITTEN)) {
            connection = null;
            return false;
        }
        if (!wasTold) {
            wasTold = true;
            watch();
            owner.written(this);
        }
        return true;
    }

    /** What stays open for long has a deadline too far off to notice that nobody is there any more. */
    private void watch() {
        if (Session.isListen(out)) {
            silence.begin();
        }
        if (!isUnderWay()) {
            silence.stop();
        }
    }

    private void silent() {
        var words = "nothing was heard on the stream of '%s' for %d ms, which is 'stream-timeout'";
        var limit = session.settings().streamTimeout().toMillis();
        fail(unavailable(words.formatted(session.target().url(), limit)).withDelivery(Delivery.UNKNOWN));
        closeConnection();
    }

    @Override
    public ByteBuf request(ByteBufAllocator allocator) {
        return session.heads().post(allocator, session.headersFor(out), out.message());
    }

    @Override
    public void head(HttpResponse head) {
        silence.heard();
        response = new PostResponse(this, session, head);
    }

    @Override
    public void body(ByteBuf part) {
        silence.heard();
        if (response != null && !response.body(part)) {
            closeConnection();
        }
    }

    @Override
    public void end() {
        connection = null;
        if (response != null) {
            response.end();
        }
    }

    @Override
    public void broken(Throwable cause, boolean handedOver) {
        connection = null;
        if (response != null) {
            response.broken(cause);
            return;
        }
        // Only what certainly never left may be sent again, and only once: the connection had gone stale.
        if (!handedOver && !wasReplaced && phase.compareAndSet(Phase.WRITTEN, Phase.QUEUED)) {
            wasReplaced = true;
            session.pool().run(this);
            return;
        }
        var words = "the connection to '%s' broke before an answer came: %s";
        fail(unavailable(words.formatted(session.target().url(), reason(cause)))
                .withDelivery(handedOver ? Delivery.UNKNOWN : Delivery.NOT_SENT)
                .withCause(cause));
    }

    @Override
    public void cannotConnect(Failure why) {
        fail(why);
    }

    /** Goes on with the stream by GET, where this one has broken. */
    void resume(Resumption resuming) {
        resumption = resuming;
        resuming.resume();
        if (!isUnderWay()) {
            resuming.stop();
        }
    }

    /** The server has taken it; the answer to a request comes elsewhere. */
    void accepted() {
        if (isRequest()) {
            owner.taken(this);
            return;
        }
        if (finish() != Phase.ENDED) {
            owner.accepted(this);
        }
    }

    /** The answer is there. */
    void answered(Response answer) {
        if (finish() != Phase.ENDED) {
            owner.answered(this, answer);
        }
    }

    /** Something came on the stream that does not end it. */
    void event(Message event) {
        if (isUnderWay()) {
            owner.event(this, event);
        }
    }

    void fail(Failure failure) {
        fail(TransportFailure.of(TransportFailure.Kind.REQUEST_FAILED, failure));
    }

    void fail(TransportFailure why) {
        if (finish() != Phase.ENDED) {
            owner.failed(this, why);
        }
    }

    /** Tells the owner of a failure although it was withdrawn before. */
    void tellFailed(TransportFailure why) {
        owner.failed(this, why);
    }

    static Failure unavailable(String message) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, message);
    }

    static String reason(Throwable cause) {
        var message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
