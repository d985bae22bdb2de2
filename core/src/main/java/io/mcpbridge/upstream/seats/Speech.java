package io.mcpbridge.upstream.seats;

/** What is known of how a server speaks. */
enum Speech {
    UNKNOWN,
    /** Each message says whose it is. */
    PLAIN,
    /** It is of the legacy era, and all clients of a session share one stream. */
    VAGUE;

    /** What a session shows that is ready. */
    static Speech of(SeatedSession session) {
        return session.sharesStream() && !session.isModern() ? VAGUE : PLAIN;
    }
}
