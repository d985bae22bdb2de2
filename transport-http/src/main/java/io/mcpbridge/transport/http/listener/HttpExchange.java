package io.mcpbridge.transport.http.listener;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.RequestOrigin.Remote;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.stream.AbandonmentHooks;
import io.mcpbridge.transport.http.internal.HeaderNames;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client and its response. Any thread may use it.
 *
 * <p>Messages of an exchange that is bound to a session go through a {@link ReplayStream}, so that the client can
 * resume after its connection breaks. It holds no lock while it takes the lock of the stream or notifies the core.
 */
final class HttpExchange implements Exchange, OpenResponse {
    private static final long RETRY_MILLIS = 1000;

    /** The only version that {@link RequestValidator} accepts. */
    private static final String HTTP_VERSION = "1.1";

    private final ReceivedRequest received;
    private final ExchangeConnection connection;
    private final ReplayStore replay;
    private final AbandonmentHooks hooks = new AbandonmentHooks();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable String session;

    @GuardedBy("lock")
    private @Nullable ReplayStream stream;

    @GuardedBy("lock")
    private boolean isCommitted;

    @GuardedBy("lock")
    private boolean isEnded;

    HttpExchange(ReceivedRequest received, ExchangeConnection connection, ReplayStore replay) {
        this.received = received;
        this.connection = connection;
        this.replay = replay;
    }

    @Override
    public Kind kind() {
        return received.kind();
    }

    @Override
    public Optional<Message> message() {
        return received.message();
    }

    @Override
    public MessageHeaders headers() {
        return received.headers();
    }

    @Override
    public Principal principal() {
        return received.principal();
    }

    @Override
    public Remote remote() {
        return remote(connection.client());
    }

    /** The remote end of a connection; without an address if the connection has ended. */
    static Remote remote(@Nullable SocketAddress end) {
        return end instanceof InetSocketAddress client
                ? new Remote("tcp", "http", HTTP_VERSION, client.getHostString(), client.getPort())
                : new Remote("tcp", "http", HTTP_VERSION, "", 0);
    }

    /** Binds the exchange to a session. The response to a GET begins at once, since the client waits for its head. */
    @Override
    public void bind(String newSession) {
        var lastEventId = received.headers().first(HeaderNames.LAST_EVENT_ID).orElse("");
        Optional<ReplayStore.Position> position =
                kind() == Kind.RESUME ? replay.find(newSession, lastEventId) : Optional.empty();
        var isOver = position.filter(ReplayStore.Position::isPastEverything).isPresent();
        lock.lock();
        try {
            session = newSession;
            boolean isGet = kind() == Kind.LISTEN || kind() == Kind.RESUME;
            if (!isGet || isCommitted || isEnded || hooks.isAbandoned()) {
                return;
            }
            if (isOver) {
                rejectResume();
                return;
            }
            commit(position.map(ReplayStore.Position::stream).orElseGet(() -> replay.open(newSession, this, true)));
            if (position.isEmpty()) {
                sendPrimingEvent();
            }
        } finally {
            lock.unlock();
        }
        position.ifPresent(place -> place.stream().attach(this, place.number()));
    }

    /** Responds with status 204: after an event stream that only ends, clients would resume again and again. */
    @GuardedBy("lock")
    private void rejectResume() {
        isEnded = true;
        var nothing = ResponseEncoder.whole(204, MessageHeaders.EMPTY, Optional.empty(), connection.options());
        connection.queue().put(nothing, () -> connection.queue().execute(this::finished));
    }

    @Override
    public Offer offer(Message event) {
        ReplayStream through;
        lock.lock();
        try {
            if (isEnded || (hooks.isAbandoned() && stream == null)) {
                return Offer.FULL;
            }
            if (!isCommitted) {
                commit(session == null ? null : replay.open(session, this, kind() != Kind.MESSAGE));
                sendPrimingEvent();
            }
            through = stream;
            if (through == null) {
                var piece = ResponseEncoder.event("", event);
                return hasRoomFor(piece) ? write(piece) : Offer.FULL;
            }
        } finally {
            lock.unlock();
        }
        return through.offer(this, event);
    }

    @Override
    public void end(Ending ending) {
        var isStream = isUnanswered(ending);
        end(
                ending,
                isStream
                        ? null
                        : ResponseEncoder.whole(
                                ending.status(), ending.headers(), ending.message(), connection.options()));
    }

    /** Ends the exchange with the answers of a batch, unless it is an event stream. */
    void endAll(List<Message> answers) {
        end(Ending.empty(), ResponseEncoder.array(answers, connection.options()));
    }

    /**
     * @param whole the response if it is no stream yet; null if it becomes one
     */
    private void end(Ending ending, ResponseEncoder.@Nullable EncodedPart whole) {
        ReplayStream through;
        boolean isHere;
        boolean isStream;
        lock.lock();
        try {
            if (isEnded) {
                return;
            }
            isEnded = true;
            hooks.end();
            through = stream;
            isHere = through == null && !hooks.isAbandoned();
            if (isHere && !isCommitted && whole == null) {
                commit(null);
            }
            isStream = isCommitted;
            if (kind() == Kind.END && session != null && ending.status() < 300) {
                replay.end(session);
            }
        } finally {
            lock.unlock();
        }
        if (isHere && isStream) {
            finishStream(ending.message().map(answer -> ResponseEncoder.event("", answer)));
        } else if (isHere && whole != null) {
            endWhole(whole);
        } else if (through != null && !through.end(this, ending.message()) && through.detach(this)) {
            finishStream(Optional.empty());
        }
    }

    /** A request without an answer gets an event stream without one, since the response must be that or JSON. */
    private boolean isUnanswered(Ending ending) {
        return kind() == Kind.MESSAGE
                && ending.status() == ResponseEncoder.OK
                && ending.message().isEmpty();
    }

    private void endWhole(ResponseEncoder.EncodedPart whole) {
        if (!hasRoomFor(whole)) {
            // The budget of all clients is exhausted, and a response is never truncated.
            connection.closeSlowReader();
            return;
        }
        if (connection.queue().writeNow(whole, () -> connection.finished(this))) {
            connection.finishLater(this);
        }
    }

    @GuardedBy("lock")
    private void commit(@Nullable ReplayStream newStream) {
        isCommitted = true;
        stream = newStream;
        connection.queue().put(ResponseEncoder.streamHead(connection.options()));
    }

    /** Since 2025-11-25 a stream begins with an event from which the client can resume. */
    @GuardedBy("lock")
    private void sendPrimingEvent() {
        if (stream != null && received.supportsPriming()) {
            connection.queue().put(ResponseEncoder.priming(stream.firstId(), RETRY_MILLIS));
        }
    }

    @Override
    public void onAbandoned(Runnable action) {
        hooks.add(action);
    }

    /** Called when the connection has ended, or the stream continues on another one. */
    @Override
    public void abandon() {
        ReplayStream through;
        Runnable actions;
        lock.lock();
        try {
            through = stream;
            actions = hooks.abandon();
        } finally {
            lock.unlock();
        }
        if (through != null) {
            through.detach(this);
        }
        actions.run();
    }

    /** Closes the connection, since a response cannot be sent. */
    void abort() {
        connection.queue().execute(connection::closeSlowReader);
    }

    boolean hasRoomFor(ResponseEncoder.EncodedPart piece) {
        return connection.queue().hasRoomFor(piece);
    }

    /** Writes a part of the stream. */
    Offer write(ResponseEncoder.EncodedPart piece) {
        var offer = connection.queue().isEmpty() ? Offer.SENT : Offer.QUEUED;
        connection.queue().put(piece);
        return offer;
    }

    /**
     * Ends the response with a last event; if there is no room for it, the connection is closed. An exchange that has
     * not ended is abandoned, since it can send nothing more.
     */
    void finishStream(Optional<ResponseEncoder.EncodedPart> last) {
        if (last.isPresent() && !hasRoomFor(last.get())) {
            connection.closeSlowReader();
            return;
        }
        last.ifPresent(connection.queue()::put);
        connection
                .queue()
                .put(ResponseEncoder.lastChunk(), () -> connection.queue().execute(this::finished));
    }

    private void finished() {
        connection.finished(this);
        abandon();
    }

    @Override
    public void comment() {
        ReplayStream through;
        lock.lock();
        try {
            through = stream;
            if (through == null && isCommitted && !isEnded && !hooks.isAbandoned()) {
                write(ResponseEncoder.comment());
            }
        } finally {
            lock.unlock();
        }
        if (through != null) {
            through.comment(this);
        }
    }
}
