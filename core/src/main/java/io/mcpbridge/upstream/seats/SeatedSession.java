package io.mcpbridge.upstream.seats;

import io.mcpbridge.upstream.session.SessionLine;

/** A session as whoever gives it to clients sees it. Any thread. */
public interface SeatedSession extends SessionLine {

    /** Whether requests say by themselves who sends them. */
    boolean isModern();

    /** Whether what the server says unasked may belong to somebody else than {@code client}. */
    boolean maySpeakOfOthersThan(String client);

    /** A client that was lost has come back, and goes by another name now. */
    void renamed(String from, String to);

    /** Somebody has come whom the server may ask what belongs to no call, or it is known now that nobody will. */
    void occupied();
}
