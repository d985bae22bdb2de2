package io.mcpbridge.transport.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A session of HTTP+SSE, revision 2024-11-05: a stream on which everything comes, and the place that its first event
 * names, to which messages are posted. It ends with the stream. Any thread may use it.
 */
final class EventSession implements StreamTurn.Hearer {
    private final Session session;
    private final Hearer hearer;
    private final Pulse pulse;
    private final AtomicBoolean hasBegun = new AtomicBoolean();
    private volatile @Nullable Session posting;
    private volatile @Nullable StreamTurn turn;
    private volatile Timekeeper.@Nullable Alarm alarm;
    private volatile boolean isClosed;

    EventSession(Session session, Hearer hearer) {
        this.session = session;
        this.hearer = hearer;
        var settings = session.settings();
        this.pulse = new Pulse(
                session.environment().timekeeper(),
                settings.streamTimeout(),
                settings.connectTimeout(),
                this::silent,
                this::dead);
    }

    /** Asks for the stream; the hearer hears once whether there is one, within the deadline. */
    void begin(Deadline deadline) {
        alarm = deadline.alarm(() -> notBegun(
                ErrorCode.PROVIDER_TIMEOUT, "gave no event stream with an endpoint within %d ms", deadline.span()));
        session.pool().runStream(new StreamTurn(session, ProtocolVersion.V2024_11_05, "", this));
    }

    /** Where messages are posted, once the server has said so. */
    Optional<Session> posting() {
        return Optional.ofNullable(posting);
    }

    /** Ends it from any thread; nothing more is heard. */
    void close() {
        isClosed = true;
        stopWaiting();
        pulse.stop();
        var current = turn;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public boolean begins(StreamTurn begun) {
        turn = begun;
        return !isClosed;
    }

    @Override
    public void opened() {}

    @Override
    public void event(ServerEvent event) {
        if (isClosed) {
            return;
        }
        if (posting == null && event.type().equals("endpoint")) {
            endpoint(new String(event.data(), UTF_8).strip());
        } else if (event.isMessage()) {
            message(event);
        }
    }

    /** Elsewhere would be a server that nobody has configured, and it would get our credentials. */
    private void endpoint(String named) {
        var target = session.target().sibling(named);
        if (target.isEmpty()) {
            var words = "names the endpoint '%s', which must be a path or URL of the same origin";
            notBegun(ErrorCode.UPSTREAM_INVALID, words, named);
            close();
            return;
        }
        if (hasBegun.compareAndSet(false, true)) {
            stopWaiting();
            posting = session.at(target.get());
            pulse.begin();
            hearer.begun();
        }
    }

    private void message(ServerEvent event) {
        var limits = session.environment().bounds().fromServers();
        try {
            hearer.message(Message.scanOfServer(event.data(), limits));
        } catch (ProtocolException unreadable) {
            hearer.unreadable(unreadable, Message.readableAnswerId(event.data(), limits));
        }
    }

    @Override
    public void retry(Duration pause) {}

    @Override
    public void refused(HttpResponse head) {
        notBegun(
                ErrorCode.PROVIDER_UNAVAILABLE,
                "answered with HTTP status %d instead of an event stream",
                head.status().code());
    }

    @Override
    public void over() {
        if (isClosed) {
            return;
        }
        if (posting == null) {
            notBegun(ErrorCode.PROVIDER_UNAVAILABLE, "ended its event stream before it named an %s", "endpoint");
        } else {
            ended("has ended its event stream");
        }
    }

    private void ended(String how) {
        isClosed = true;
        pulse.stop();
        hearer.ended("'%s' %s".formatted(session.target().url(), how));
    }

    @Override
    public void heard() {
        pulse.heard();
    }

    private void silent() {
        var place = posting;
        if (place != null && !isClosed) {
            hearer.silent(place);
        }
    }

    /** Half-open connections are silent for ever. */
    private void dead() {
        if (isClosed) {
            return;
        }
        var limit = session.settings().streamTimeout().toMillis();
        ended("said nothing on its event stream for %d ms, which is 'stream-timeout', nor to a ping".formatted(limit));
        close();
    }

    private void notBegun(ErrorCode code, String words, Object value) {
        if (hasBegun.compareAndSet(false, true)) {
            stopWaiting();
            var shown = value instanceof Duration span ? span.toMillis() : value;
            hearer.refused(Failure.of(code, "'%s' ".formatted(session.target().url()) + words.formatted(shown)));
        }
    }

    private void stopWaiting() {
        var pending = alarm;
        if (pending != null) {
            pending.cancel();
        }
    }

    /** Hears of the session: first, once, whether there is one. */
    interface Hearer {

        void begun();

        void refused(Failure why);

        /** Nothing has come for long; a message to this place that wants an answer shows whether anybody is there. */
        void silent(Session place);

        void message(Message message);

        void unreadable(ProtocolException why, Optional<MessageId> answerTo);

        void ended(String why);
    }
}
