package io.mcpbridge.benchmarks;

import java.io.IOException;

/** A contender of raw bytes, made when {@code initialize} is answered. */
interface Session extends Contender {

    /** Sends {@code notifications/initialized}, once, before the first call. */
    void confirm() throws IOException;

    /** Ends the handshake of a session. */
    static <S extends Session> S confirmed(S session) throws IOException {
        session.confirm();
        return session;
    }
}
