package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A message that is posted to the server, from {@code send} to its end.
 *
 * <p>The thread that moves the phase to {@code ENDED} notifies the {@link PostListener}, so that it is notified once.
 * All other state belongs to the thread that begins the post, and then to the event loop of the connection.
 */
final class PostRequest implements HttpCall {

    private final Outgoing out;
    private final HttpClientSession context;
    private final PostListener listener;
    private final IdleTimeout idleTimeout;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.QUEUED);
    private volatile @Nullable HttpConnection connection;
    private volatile @Nullable EventStream rest;
    private @Nullable PostResponseReader response;
    private boolean isReported;
    private boolean isRetried;

    PostRequest(Outgoing out, HttpClientSession context, PostListener listener) {
        this.out = out;
        this.context = context;
        this.listener = listener;
        this.idleTimeout = new IdleTimeout(context.environment().timekeeper(), longestSilence(), this::idle);
    }

    Outgoing out() {
        return out;
    }

    HttpClientSession context() {
        return context;
    }

    /** Whether the response has to contain the answer. */
    boolean awaitsAnswer() {
        return isRequest() && !listener.hasSeparateAnswerStream();
    }

    boolean isRequest() {
        return out.message() instanceof Request;
    }

    /** Whether it has neither ended nor been cancelled. */
    @Override
    public boolean isPending() {
        return phase.get() != Phase.ENDED;
    }

    /** Cancels the post from any thread, without notifying the listener; returns how far it had got. */
    Phase cancel() {
        var before = finish();
        closeConnection();
        return before;
    }

    /** Moves to the last phase and returns the one before. */
    private Phase finish() {
        var before = phase.getAndSet(Phase.ENDED);
        idleTimeout.stop();
        return before;
    }

    /** Ends the post, after which the caller notifies the listener; false if it has ended before. */
    private boolean endFirst() {
        var isFirst = finish() != Phase.ENDED;
        if (isFirst) {
            listener.ended(this);
        }
        return isFirst;
    }

    /** Closes the connection that carries it, and the stream that resumed it. */
    void closeConnection() {
        var current = connection;
        if (current != null) {
            current.close(this);
        }
        var resumed = rest;
        if (resumed != null) {
            resumed.close();
        }
    }

    @Override
    public boolean begin(HttpConnection on) {
        connection = on;
        if (!phase.compareAndSet(Phase.QUEUED, Phase.WRITTEN)) {
            connection = null;
            return false;
        }
        if (!isReported) {
            isReported = true;
            watchIdle();
            listener.written(this);
        }
        return true;
    }

    /**
     * Bounds the silence of the server where nothing else detects a lost connection: the caller abandons an ordinary
     * request at its deadline, but a subscription stays open for long, and other messages have no caller that waits.
     */
    private void watchIdle() {
        if (HttpClientSession.isListen(out) || !awaitsAnswer()) {
            idleTimeout.begin();
        }
        if (!isPending()) {
            idleTimeout.stop();
        }
    }

    private Duration longestSilence() {
        return HttpClientSession.isListen(out)
                ? context.settings().streamTimeout()
                : out.deadline().span();
    }

    private void idle() {
        var words = HttpClientSession.isListen(out)
                ? "the stream of '%s' was silent for %d ms, which is 'stream-timeout'"
                : "'%s' did not accept a message within %d ms";
        var limit = longestSilence().toMillis();
        fail(unavailable(words.formatted(context.endpoint().url(), limit)).withDelivery(Delivery.UNKNOWN));
        closeConnection();
    }

    @Override
    public ByteBuf request(ByteBufAllocator allocator) {
        return context.encoder().post(allocator, context.headersFor(out), out.message());
    }

    @Override
    public void head(HttpResponse head) {
        idleTimeout.reset();
        response = new PostResponseReader(this, context, head);
    }

    @Override
    public void body(ByteBuf part) {
        idleTimeout.reset();
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
        // Sent again only if no byte was sent, and only once: the connection was stale.
        if (!handedOver && !isRetried && phase.compareAndSet(Phase.WRITTEN, Phase.QUEUED)) {
            isRetried = true;
            context.pool().run(this);
            return;
        }
        var words = "the connection to '%s' broke before an answer came: %s";
        fail(unavailable(words.formatted(context.endpoint().url(), ErrorText.of(cause)))
                .withDelivery(handedOver ? Delivery.UNKNOWN : Delivery.NOT_SENT)
                .withCause(cause));
    }

    @Override
    public void cannotConnect(Failure why) {
        fail(why);
    }

    /** Sets the stream on which the rest of the response comes; it ends with the post. */
    void continueOn(EventStream resumed) {
        rest = resumed;
        if (!isPending()) {
            resumed.close();
        }
    }

    /** Called when the server has accepted the message; the answer to a request comes on another stream. */
    void accepted() {
        if (isRequest()) {
            listener.taken(this);
            return;
        }
        if (endFirst()) {
            listener.accepted(this);
        }
    }

    /** Called when the answer has arrived. */
    void answered(Response answer) {
        if (endFirst()) {
            listener.answered(this, answer);
        }
    }

    /** Called when what names this request is no message. */
    void unreadable(ProtocolException why) {
        if (endFirst()) {
            listener.unreadable(this, why);
        }
    }

    /** Called when another message has arrived on the stream. */
    void event(Message event) {
        if (isPending()) {
            listener.event(this, event);
        }
    }

    void fail(Failure failure) {
        fail(RequestFailure.of(RequestFailure.Kind.REQUEST_FAILED, failure));
    }

    void fail(RequestFailure why) {
        if (endFirst()) {
            listener.failed(this, why);
        }
    }

    static Failure unavailable(String message) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, message);
    }

    /** How far a post has got. */
    enum Phase {
        /** No byte was sent. */
        QUEUED,
        /** It may have arrived. */
        WRITTEN,
        /** The listener was notified, or the post was cancelled. */
        ENDED
    }
}
