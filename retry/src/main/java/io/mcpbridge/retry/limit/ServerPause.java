package io.mcpbridge.retry.limit;

import java.time.Duration;

/** The patience that a server has asked for. One thread at a time, but any may ask whether it is on. */
final class ServerPause {
    /** Longer than that nobody waits because of an answer to somebody else. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private long askedAt;
    private long until;

    /** Spares the lock while the server has not asked for patience. */
    private volatile boolean isOn;

    ServerPause(long now) {
        this.askedAt = now;
        this.until = now;
    }

    boolean isOn() {
        return isOn;
    }

    /** What is left of it; nothing or less if nothing is. */
    long rest(long now) {
        return until - now;
    }

    /** For how long the server has asked for patience now. */
    Duration age(long now) {
        return Duration.ofNanos(now - askedAt);
    }

    void begin(Duration span, long now) {
        var bounded = span.compareTo(LONGEST) < 0 ? span : LONGEST;
        until = Math.max(until, now + bounded.toNanos());
        askedAt = now;
        isOn = true;
    }

    /** Whether a call that began then says something of the server as it is now. */
    boolean isOlderThan(long callBegan) {
        return callBegan - askedAt > 0;
    }

    void end(long now) {
        until = now;
        isOn = false;
    }
}
