package io.mcpbridge.transport.http.listener;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Remote;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.transport.http.internal.Names;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client and the response to it. Any thread may use it.
 *
 * <p>What is sent once the exchange is bound to a session goes through a {@link ReplayStream}, so that it can
 * be taken up if the connection breaks. No lock is held while the stream's is taken, nor while the core is told.
 */
final class HttpExchange implements Exchange, Answering {
    private static final long RETRY_MILLIS = 1000;

    private final Received received;
    private final Link link;
    private final ReplayStore replay;
    private final Abandonment abandonment = new Abandonment();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable String session;

    @GuardedBy("lock")
    private @Nullable ReplayStream stream;

    @GuardedBy("lock")
    private boolean isCommitted;

    @GuardedBy("lock")
    private boolean isEnded;

    HttpExchange(Received received, Link link, ReplayStore replay) {
        this.received = received;
        this.link = link;
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
    public Metadata metadata() {
        return received.headers();
    }

    @Override
    public Principal principal() {
        return received.principal();
    }

    @Override
    public Remote remote() {
        return link.client() instanceof InetSocketAddress client
                ? new Remote("tcp", "http", received.httpVersion(), client.getHostString(), client.getPort())
                : new Remote("tcp", "http", received.httpVersion(), "", 0);
    }

    /** Begins the stream of a GET: its client waits for the head of the response, perhaps for long. */
    @Override
    public void bind(String newSession) {
        var lastEventId = received.headers().first(Names.LAST_EVENT_ID).orElse("");
        Optional<ReplayStore.Position> position =
                kind() == Kind.RESUME ? replay.find(newSession, lastEventId) : Optional.empty();
        var isOver = position.filter(ReplayStore.Position::isPastEverything).isPresent();
        lock.lock();
        try {
            session = newSession;
            boolean isGet = kind() == Kind.LISTEN || kind() == Kind.RESUME;
            if (!isGet || isCommitted || isEnded || abandonment.hasHappened()) {
                return;
            }
            if (isOver) {
                refuseToResume();
                return;
            }
            commit(position.map(ReplayStore.Position::stream).orElseGet(() -> replay.open(newSession, this, true)));
            if (position.isEmpty()) {
                prime();
            }
        } finally {
            lock.unlock();
        }
        position.ifPresent(place -> place.stream().attach(this, place.number()));
    }

    /** Clients take up a stream that just ends again and again; no content tells them that nothing more comes. */
    @GuardedBy("lock")
    private void refuseToResume() {
        isEnded = true;
        var nothing = HttpText.whole(204, Metadata.EMPTY, Optional.empty(), link.manner());
        link.outbox().put(nothing, () -> link.outbox().later(this::finished));
    }

    @Override
    public Offer offer(Message event) {
        ReplayStream through;
        lock.lock();
        try {
            if (isEnded || (abandonment.hasHappened() && stream == null)) {
                return Offer.FULL;
            }
            if (!isCommitted) {
                commit(session == null ? null : replay.open(session, this, kind() != Kind.MESSAGE));
                prime();
            }
            through = stream;
            if (through == null) {
                var piece = HttpText.event("", event);
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
                isStream ? null : HttpText.whole(ending.status(), ending.headers(), ending.message(), link.manner()));
    }

    /** Ends it with the answers to all messages of a batch, where it is no event stream. */
    void endAll(List<Message> answers) {
        end(Ending.empty(), HttpText.array(answers, link.manner()));
    }

    /** @param whole the response where it is no stream already; null where it becomes one */
    private void end(Ending ending, HttpText.@Nullable Piece whole) {
        ReplayStream through;
        boolean isHere;
        boolean isStream;
        lock.lock();
        try {
            if (isEnded) {
                return;
            }
            isEnded = true;
            abandonment.ruleOut();
            through = stream;
            isHere = through == null && !abandonment.hasHappened();
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
            finishStream(ending.message().map(answer -> HttpText.event("", answer)));
        } else if (isHere && whole != null) {
            endWhole(whole);
        } else if (through != null && !through.end(this, ending.message()) && through.detach(this)) {
            finishStream(Optional.empty());
        }
    }

    /** The response to a request that has no answer is an event stream without one, as it must be that or JSON. */
    private boolean isUnanswered(Ending ending) {
        return kind() == Kind.MESSAGE
                && ending.status() == HttpText.OK
                && ending.message().isEmpty();
    }

    private void endWhole(HttpText.Piece whole) {
        if (!hasRoomFor(whole)) {
            // What waits for all clients together is more than it may be, and an answer is never cut short.
            link.overflow();
            return;
        }
        link.outbox().put(whole, () -> link.finished(this));
    }

    @GuardedBy("lock")
    private void commit(@Nullable ReplayStream newStream) {
        isCommitted = true;
        stream = newStream;
        link.outbox().put(HttpText.streamHead(link.manner()));
    }

    /** Since 2025-11-25 a stream begins with an event that lets the client come back from the start. */
    @GuardedBy("lock")
    private void prime() {
        if (stream != null && received.knowsPriming()) {
            link.outbox().put(HttpText.priming(stream.firstId(), RETRY_MILLIS));
        }
    }

    @Override
    public void onAbandoned(Runnable action) {
        abandonment.then(action);
    }

    /** The connection is gone, or its part in the stream is over. */
    @Override
    public void abandon() {
        ReplayStream through;
        Runnable actions;
        lock.lock();
        try {
            through = stream;
            actions = abandonment.happen();
        } finally {
            lock.unlock();
        }
        if (through != null) {
            through.detach(this);
        }
        actions.run();
    }

    /** Ends the connection, as what has to be sent cannot be. */
    void breakOff() {
        link.outbox().later(link::overflow);
    }

    boolean hasRoomFor(HttpText.Piece piece) {
        return link.outbox().hasRoomFor(piece);
    }

    /** Puts a piece of the stream on its way. */
    Offer write(HttpText.Piece piece) {
        var offer = link.outbox().isEmpty() ? Offer.SENT : Offer.QUEUED;
        link.outbox().put(piece);
        return offer;
    }

    /**
     * Ends the response with a last event; where that does not fit, its client is too slow and loses the connection.
     * An exchange that has not ended by itself is abandoned, as nothing leaves by it any more.
     */
    void finishStream(Optional<HttpText.Piece> last) {
        if (last.isPresent() && !hasRoomFor(last.get())) {
            link.overflow();
            return;
        }
        last.ifPresent(link.outbox()::put);
        link.outbox().put(HttpText.lastChunk(), () -> link.outbox().later(this::finished));
    }

    private void finished() {
        link.finished(this);
        abandon();
    }

    @Override
    public void comment() {
        ReplayStream through;
        lock.lock();
        try {
            through = stream;
            if (through == null && isCommitted && !isEnded && !abandonment.hasHappened()) {
                write(HttpText.comment());
            }
        } finally {
            lock.unlock();
        }
        if (through != null) {
            through.comment(this);
        }
    }
}
