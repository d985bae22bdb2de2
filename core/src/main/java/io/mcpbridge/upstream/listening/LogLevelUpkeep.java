package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.upstream.session.SessionLine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session of the legacy era at the mildest level of log messages that anybody who uses it asks for; whoever
 * wants less hears less. A new session hears of it with the first call that asks. Any thread may use it.
 *
 * <p>The server is told one level at a time, since a second one might overtake the first.
 */
public final class LogLevelUpkeep {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SessionLine session;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable LogLevel wanted;
    private volatile boolean isDeclared;

    @GuardedBy("lock")
    private @Nullable LogLevel told;

    @GuardedBy("lock")
    private boolean isTelling;

    /** Makes the upkeep of one session. */
    public LogLevelUpkeep(SessionLine session, Timekeeper timekeeper) {
        this.session = session;
        this.timekeeper = timekeeper;
    }

    /** The server says that it logs, and of which level can be said to it. */
    public void begin() {
        isDeclared = true;
    }

    /** Tells the server, if this caller wants milder messages than all before. */
    public void heed(Caller caller) {
        if (!isDeclared || caller.logLevel().isEmpty()) {
            return;
        }
        var level = caller.logLevel().get();
        if (!isMilder(level)) {
            return;
        }
        lock.lock();
        try {
            if (isMilder(level)) {
                wanted = level;
            }
        } finally {
            lock.unlock();
        }
        tell();
    }

    /** What the server was told last, and took; empty if it was told nothing. */
    public Optional<LogLevel> told() {
        lock.lock();
        try {
            return Optional.ofNullable(told);
        } finally {
            lock.unlock();
        }
    }

    private boolean isMilder(LogLevel level) {
        var before = wanted;
        return before == null || !level.isAtLeast(before);
    }

    /** Tells what is wanted now, unless the server was told so or is being told something. */
    private void tell() {
        LogLevel due;
        lock.lock();
        try {
            due = wanted;
            if (due == null || isTelling || due == told) {
                return;
            }
            isTelling = true;
        } finally {
            lock.unlock();
        }
        tell(due);
    }

    private void tell(LogLevel level) {
        var params = "{\"level\":\"" + level.text() + "\"}";
        var request = Request.of(session.mintId(), Methods.LOGGING_SET_LEVEL, params);
        var deadline = Deadline.after(PATIENCE, timekeeper);
        var call = Call.of(request, Caller.builder().build(), "level-" + session.server(), deadline);
        var alarm = deadline.alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        session.sendOwn(call, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {
                alarm.cancel();
                wasTold(level, isTaken(outcome));
            }
        });
    }

    private static boolean isTaken(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered
                && !answered.response().isError();
    }

    /** What the server did not take is told again with the next call that asks, rather than at once. */
    private void wasTold(LogLevel level, boolean isTaken) {
        boolean isDue;
        lock.lock();
        try {
            isTelling = false;
            told = isTaken ? level : told;
            isDue = wanted != level;
            wanted = isDue || isTaken ? wanted : told;
        } finally {
            lock.unlock();
        }
        if (isDue) {
            tell();
        }
    }
}
