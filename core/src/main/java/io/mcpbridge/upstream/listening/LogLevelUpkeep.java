package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session of the legacy era at the mildest level of log messages that anybody who uses it asks for; whoever
 * wants less hears less. A new session hears of it with the first call that asks. Any thread may use it.
 */
public final class LogLevelUpkeep {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SessionLine session;
    private final Timekeeper timekeeper;
    private final AtomicReference<@Nullable LogLevel> told = new AtomicReference<>();
    private volatile boolean isDeclared;

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
        var wanted = caller.logLevel().get();
        var before = told.get();
        if ((before == null || !wanted.isAtLeast(before)) && told.compareAndSet(before, wanted)) {
            tell(wanted);
        }
    }

    private void tell(LogLevel level) {
        var params = "{\"level\":\"" + level.text() + "\"}";
        var request = Request.of(session.mintId(), Methods.LOGGING_SET_LEVEL, params);
        var deadline = Deadline.after(PATIENCE, timekeeper);
        var caller = Caller.builder().build();
        session.sendOwn(Call.of(request, caller, "level-" + session.server(), deadline), new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {}
        });
    }
}
