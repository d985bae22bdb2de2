package io.mcpbridge.downstream.session;

import io.mcpbridge.call.LogLevel;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.util.Optional;

/** Keeps log messages away from a client that are milder than it asked for. Any thread. */
final class LogFilter {
    private volatile LogLevel mildest = LogLevel.DEBUG;

    /** Takes what {@code logging/setLevel} asks for; empty if that is no level. */
    Optional<LogLevel> set(Request request) {
        var level = request.text(Part.LEVEL).flatMap(LogLevel::parse);
        level.ifPresent(asked -> mildest = asked);
        return level;
    }

    /** What is wrong with a request that {@link #set} did not take. */
    static String problem(Request request) {
        var words =
                "'%s' is not a log level; use one of debug, info, notice, warning, error, critical, alert, emergency";
        return words.formatted(request.text(Part.LEVEL).orElse(""));
    }

    boolean passes(Notification notification) {
        if (!notification.method().equals(Methods.LOG_MESSAGE)) {
            return true;
        }
        var level = notification.text(Part.LEVEL).flatMap(LogLevel::parse);
        return level.isEmpty() || level.get().isAtLeast(mildest);
    }
}
