package io.mcpbridge.upstream.health;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.upstream.session.SessionLine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Asks a server that has been silent for a while for a sign of life, and tells when it gives none twice. Any thread;
 * nothing here waits.
 *
 * <p>Whatever the server sends counts as one. While calls are under way it may be silent for as long as a call may
 * take, since many servers do one thing at a time.
 */
public final class Pulse {
    /** No server gets longer for a sign of life. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final int TRIES = 2;

    /** What is known of the session already, and who hears of its server. */
    public interface Watched {

        /** When the server was heard last, on the timekeeper's clock. */
        long lastHeard();

        /** Whether calls are under way. */
        boolean isBusy();

        /** The server has answered. */
        void beat(Duration latency);

        /** The server did not answer, and is asked once more. */
        void doubted(String why);

        /** The server did not answer the second time either. */
        void lost(String why);
    }

    /**
     * When a server is asked, and how long it may take.
     *
     * @param method what it is asked: {@code ping} in the legacy era, {@code server/discover} after it
     * @param interval after how much silence it is asked
     * @param timeout how long its calls may take
     */
    public record Rhythm(String method, Duration interval, Duration timeout) {
        private Duration bearable(boolean isBusy) {
            return isBusy && timeout.compareTo(interval) > 0 ? timeout : interval;
        }

        private Duration patience() {
            return timeout.compareTo(LONGEST_WAIT) < 0 ? timeout : LONGEST_WAIT;
        }
    }

    private final SessionLine session;
    private final Watched watched;
    private final Caller caller;
    private final Rhythm rhythm;
    private final Timekeeper timekeeper;
    private final AtomicReference<Alarm> alarm = new AtomicReference<>(Rest.NOT_BEGUN);

    /**
     * Watches nobody yet.
     *
     * @param caller for whom the bridge asks
     */
    public Pulse(SessionLine session, Watched watched, Caller caller, Rhythm rhythm, Timekeeper timekeeper) {
        this.session = session;
        this.watched = watched;
        this.caller = caller.withoutSession();
        this.rhythm = rhythm;
        this.timekeeper = timekeeper;
    }

    /** Begins to watch; once. */
    public void begin() {
        in(rhythm.interval(), this::look);
    }

    /** Watches no longer. */
    public void close() {
        alarm.getAndSet(Rest.CLOSED).cancel();
    }

    private void look() {
        var rest = rhythm.bearable(watched.isBusy()).minus(silence());
        if (rest.compareTo(Duration.ZERO) > 0) {
            in(rest, this::look);
        } else {
            ask(1);
        }
    }

    private Duration silence() {
        return Duration.ofNanos(timekeeper.nanoTime() - watched.lastHeard());
    }

    private void ask(int attempt) {
        if (session.isClosed()) {
            return;
        }
        var deadline = Deadline.after(rhythm.patience(), timekeeper);
        var request = Request.of(session.mintId(), rhythm.method(), "{}");
        var call = Call.of(request, caller, "keep-alive-" + session.server(), deadline);
        var asked = timekeeper.nanoTime();
        var late = deadline.alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        session.sendOwn(call, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {
                late.cancel();
                ended(attempt, asked, outcome);
            }
        });
    }

    private void ended(int attempt, long asked, Outcome outcome) {
        if (session.isClosed() || alarm.get() == Rest.CLOSED) {
            return;
        }
        if (outcome instanceof Outcome.Answered) {
            watched.beat(Duration.ofNanos(timekeeper.nanoTime() - asked));
            in(rhythm.interval(), this::look);
        } else if (watched.lastHeard() - asked > 0) {
            in(rhythm.interval(), this::look);
        } else {
            missed(attempt, asked, ((Outcome.Failed) outcome).failure().message());
        }
    }

    private void missed(int attempt, long asked, String why) {
        var words = "server '%s' gave no sign of life for %d ms: %s"
                .formatted(session.server(), silence().toMillis(), why);
        if (attempt >= TRIES) {
            watched.lost(words);
            return;
        }
        watched.doubted(words);
        // What failed at once would fail again at once.
        var waited = Duration.ofNanos(timekeeper.nanoTime() - asked);
        var rest = rhythm.patience().minus(waited);
        in(rest.isNegative() ? Duration.ZERO : rest, () -> ask(attempt + 1));
    }

    private void in(Duration span, Runnable action) {
        var next = timekeeper.schedule(span, action);
        if (alarm.getAndUpdate(now -> now == Rest.CLOSED ? now : next) == Rest.CLOSED) {
            next.cancel();
        }
    }

    private enum Rest implements Alarm {
        NOT_BEGUN,
        CLOSED;

        @Override
        public void cancel() {}
    }
}
