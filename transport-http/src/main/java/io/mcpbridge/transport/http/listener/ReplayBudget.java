package io.mcpbridge.transport.http.listener;

import io.mcpbridge.spi.ByteBudget;

/**
 * The buffer budget of one session, which also counts against that of all sessions. Any thread may use it.
 *
 * @param session the bytes of this session
 * @param total the bytes of all sessions
 */
record ReplayBudget(ByteBudget session, ByteBudget total) {

    boolean take(int bytes) {
        if (!session.take(bytes)) {
            return false;
        }
        if (total.take(bytes)) {
            return true;
        }
        session.giveBack(bytes);
        return false;
    }

    void giveBack(int bytes) {
        session.giveBack(bytes);
        total.giveBack(bytes);
    }
}
