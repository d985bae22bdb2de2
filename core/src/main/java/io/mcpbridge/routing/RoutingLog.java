package io.mcpbridge.routing;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.UpstreamState;
import io.mcpbridge.upstream.lists.ListKind;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What routing tells the log; the same matter once, since lists are merged again and again. Any thread. */
final class RoutingLog {
    /** How many matters are remembered; what comes after them is not told. */
    private static final int LIMIT = 1_000;

    private final System.Logger logger;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    RoutingLog(System.Logger logger) {
        this.logger = logger;
    }

    void once(String matter) {
        if (told.size() < LIMIT && told.add(matter)) {
            warn(matter);
        }
    }

    void missing(ListKind<?> kind, String server, Failure why) {
        warn("the %s of server '%s' are missing from the list: %s".formatted(kind, server, why.message()));
    }

    void late(ListKind<?> kind, String server, UpstreamState state, Duration patience) {
        warn(
                "the %s of server '%s' (%s) are missing from the list: it has not said them within %d ms; clients hear when it does"
                        .formatted(kind, server, state.name().toLowerCase(Locale.ROOT), patience.toMillis()));
    }

    private void warn(String text) {
        logger.log(Level.WARNING, "[mcp-bridge] " + text);
    }
}
