package io.mcpbridge.transport.http.listener;

/** The target of a request, by its path or method. */
enum HttpEndpoint {
    /** Streamable HTTP of both eras. */
    STREAMABLE,
    /** The event stream of HTTP+SSE, which is one session. */
    SSE_STREAM,
    /** The endpoint to which clients of HTTP+SSE post messages. */
    SSE_POST,
    /** A CORS preflight of a browser. */
    PREFLIGHT;

    /** The paths of revision 2024-11-05; the event stream names the second one to its client. */
    static final String SSE_PATH = "/sse";

    static final String MESSAGES_PATH = "/messages";
}
