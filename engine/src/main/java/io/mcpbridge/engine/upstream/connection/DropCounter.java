package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.VisibleText;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts messages of a server that have no recipient, and logs one per window, so that a flood cannot fill the log. Any
 * thread.
 */
public final class DropCounter {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int LONGEST = 200;

    private final String server;
    private final Timekeeper timekeeper;
    private final System.Logger logger;
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong quietUntil;

    public DropCounter(String server, Timekeeper timekeeper, System.Logger logger) {
        this.server = server;
        this.timekeeper = timekeeper;
        this.logger = logger;
        this.quietUntil = new AtomicLong(timekeeper.nanoTime());
    }

    public void count(String what) {
        var total = count.incrementAndGet();
        var now = timekeeper.nanoTime();
        var until = quietUntil.get();
        if (now - until >= 0 && quietUntil.compareAndSet(until, now + WINDOW.toNanos())) {
            logger.log(
                    System.Logger.Level.WARNING,
                    "[mcp-bridge] dropped from server '%s' (%d so far): %s"
                            .formatted(server, total, VisibleText.beginning(what, LONGEST)));
        }
    }

    /** Counts a message without logging it, since another place logs it. */
    public void countQuietly() {
        count.incrementAndGet();
    }

    public long total() {
        return count.get();
    }
}
