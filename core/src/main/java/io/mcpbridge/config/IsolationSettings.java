package io.mcpbridge.config;

import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Set;

/**
 * Whether each call of a tool has a process of the server for itself, and how many of those there are.
 *
 * @param perCall whether it has; else calls share the server's sessions, and the rest says nothing
 * @param warm processes that are kept started for calls that come, for each kind of caller
 * @param max processes of calls at one moment, those that are being started or ended included
 * @param idle after how long without a call the started ones are ended
 */
public record IsolationSettings(boolean perCall, int warm, int max, Duration idle) {

    /** Calls share sessions; where they do not, two warm processes of at most 16, which lapse after ten minutes. */
    public static final IsolationSettings DEFAULTS = new IsolationSettings(false, 2, 16, Duration.ofMinutes(10));

    /** No server has more processes for calls. */
    public static final int MOST = 256;

    private static final String ISOLATION = "isolation";
    private static final String POOL = "pool";
    private static final String PER_CALL = "call";

    public IsolationSettings {
        new Refusals()
                .unless(max >= 1 && max <= MOST, "max", max, "from 1 to " + MOST)
                .unless(warm >= 0 && (warm <= max || max < 1), "warm", warm, "from 0 to 'max', " + max)
                .unless(idle.compareTo(Duration.ZERO) > 0, "idle", idle, "longer than zero")
                .throwIfAny();
    }

    /** Reads these keys of a server's section; mistakes are noted there. */
    static IsolationSettings from(Settings server) {
        var perCall = isPerCall(server);
        if (server.has(POOL) && !perCall) {
            server.reject(POOL, "left out where 'isolation' is not 'call'");
            return DEFAULTS;
        }
        if (!server.isSection(POOL)) {
            // A text or the like, of which reading it as a section tells what is wrong.
            server.section(POOL);
            return DEFAULTS.withPerCall(perCall);
        }
        var pool = server.section(POOL);
        var max = pool.integer("max", DEFAULTS.max);
        var warm = pool.integer("warm", Math.min(DEFAULTS.warm, Math.max(0, max)));
        var idle = pool.duration("idle", DEFAULTS.idle);
        return server.noting(
                () -> pool.finish(() -> new IsolationSettings(perCall, warm, max, idle)),
                DEFAULTS.withPerCall(perCall));
    }

    private static boolean isPerCall(Settings server) {
        var isolation = server.text(ISOLATION, "none");
        if (!Set.of("none", PER_CALL).contains(isolation)) {
            server.reject(ISOLATION, "'none' or 'call'");
            return false;
        }
        if (isolation.equals(PER_CALL) && !server.has("command")) {
            server.reject(ISOLATION, "left out where the server is no process of ours, which 'command' would start");
            return false;
        }
        return isolation.equals(PER_CALL);
    }

    private IsolationSettings withPerCall(boolean newPerCall) {
        return new IsolationSettings(newPerCall, warm, max, idle);
    }
}
