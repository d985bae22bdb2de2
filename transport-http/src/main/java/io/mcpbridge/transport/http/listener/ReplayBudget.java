package io.mcpbridge.transport.http.listener;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that may be kept for one session, out of what may be kept for all. Any thread may use it. */
final class ReplayBudget {
    private final long mostOfSession;
    private final long mostOfAll;
    private final AtomicLong ofSession = new AtomicLong();
    private final AtomicLong ofAll;

    ReplayBudget(long mostOfSession, long mostOfAll, AtomicLong ofAll) {
        this.mostOfSession = mostOfSession;
        this.mostOfAll = mostOfAll;
        this.ofAll = ofAll;
    }

    boolean take(int bytes) {
        if (ofSession.addAndGet(bytes) > mostOfSession) {
            ofSession.addAndGet(-bytes);
            return false;
        }
        if (ofAll.addAndGet(bytes) > mostOfAll) {
            giveBack(bytes);
            return false;
        }
        return true;
    }

    void giveBack(int bytes) {
        ofSession.addAndGet(-bytes);
        ofAll.addAndGet(-bytes);
    }
}
