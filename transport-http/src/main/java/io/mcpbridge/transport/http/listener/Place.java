package io.mcpbridge.transport.http.listener;

/** What a request is for, as its path says, or its method. */
enum Place {
    /** Streamable HTTP of both eras. */
    STREAMABLE,
    /** The event stream of HTTP+SSE, which is one session. */
    EVENTS,
    /** Where clients of HTTP+SSE post their messages. */
    MESSAGES,
    /** A browser asks what pages of another origin may send. */
    PREFLIGHT;

    /** The paths of revision 2024-11-05; the second one is told to its clients. */
    static final String EVENTS_PATH = "/sse";

    static final String MESSAGES_PATH = "/messages";
}
