package io.mcpbridge.routing;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.upstream.UpstreamState;
import io.mcpbridge.upstream.UpstreamStatus;
import io.mcpbridge.upstream.lists.ListKind;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What routing tells the log; the same matter once, since lists are merged again and again: that one is missing is told
 * when it begins and when its cause changes. Any thread.
 */
final class RoutingLog {
    /** How many matters are remembered; what comes after them is not told. */
    private static final int LIMIT = 1_000;

    private static final int MOST_AT_ONCE = 10;
    private static final int LONGEST_CAUSE = 400;

    private final System.Logger logger;
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final Map<Subject, String> causes = new ConcurrentHashMap<>();

    /**
     * A list that may be missing.
     *
     * @param principal whose list it is, since users may have sessions of their own
     */
    private record Subject(ListKind<?> kind, String server, String principal) {}

    RoutingLog(System.Logger logger) {
        this.logger = logger;
    }

    void once(String matter) {
        if (isNew(matter)) {
            warn(matter);
        }
    }

    /** The same for many: what comes after the first few is only counted. */
    void onceEach(List<String> matters) {
        var news = matters.stream().filter(this::isNew).toList();
        news.stream().limit(MOST_AT_ONCE).forEach(this::warn);
        if (news.size() > MOST_AT_ONCE) {
            warn("and %d more are left out of the list".formatted(news.size() - MOST_AT_ONCE));
        }
    }

    private boolean isNew(String matter) {
        return told.size() < LIMIT && told.add(matter);
    }

    /** The server said its list, so that what keeps it from saying the next one is news. */
    void there(ListKind<?> kind, String server, Caller caller) {
        if (!causes.isEmpty()) {
            causes.remove(new Subject(kind, server, caller.principal().name()));
        }
    }

    void missing(ListKind<?> kind, UpstreamStatus status, Caller caller, Failure why) {
        // While a server is held off, its failures count the tries and the milliseconds; the cause stays the same.
        var cause =
                status.state() == UpstreamState.HEALTHY || status.error().isEmpty() ? why.message() : status.error();
        if (isNews(new Subject(kind, status.server(), caller.principal().name()), cause)) {
            var words = VisibleText.beginning(why.message(), LONGEST_CAUSE);
            warn("the %s of server '%s' are missing from the list: %s".formatted(kind, status.server(), words));
        }
    }

    void late(ListKind<?> kind, UpstreamStatus status, Caller caller, Duration patience) {
        // Whoever is late often fails in the end: then that is the cause, and the next time it is late is no news.
        var subject = new Subject(kind, status.server(), caller.principal().name());
        if (!causes.containsKey(subject) && isNews(subject, "late")) {
            var state = status.state().name().toLowerCase(Locale.ROOT);
            warn(
                    "the %s of server '%s' (%s) are missing from the list: it has not said them within %d ms; clients hear when it does"
                            .formatted(kind, status.server(), state, patience.toMillis()));
        }
    }

    private boolean isNews(Subject subject, String cause) {
        if (causes.size() >= LIMIT && !causes.containsKey(subject)) {
            return false;
        }
        return !cause.equals(causes.put(subject, cause));
    }

    private void warn(String text) {
        logger.log(Level.WARNING, "[mcp-bridge] " + text);
    }
}
