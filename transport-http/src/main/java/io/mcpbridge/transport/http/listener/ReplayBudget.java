package io.mcpbridge.transport.http.listener;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes that may be buffered for one session, out of those for all sessions. Any thread may use it. */
final class ReplayBudget {
    private final long maxPerSession;
    private final long maxTotal;
    private final AtomicLong perSession = new AtomicLong();
    private final AtomicLong total;

    ReplayBudget(long maxPerSession, long maxTotal, AtomicLong total) {
        this.maxPerSession = maxPerSession;
        this.maxTotal = maxTotal;
        this.total = total;
    }

    boolean take(int bytes) {
        if (perSession.addAndGet(bytes) > maxPerSession) {
            perSession.addAndGet(-bytes);
            return false;
        }
        if (total.addAndGet(bytes) > maxTotal) {
            giveBack(bytes);
            return false;
        }
        return true;
    }

    void giveBack(int bytes) {
        perSession.addAndGet(-bytes);
        total.addAndGet(-bytes);
    }
}
