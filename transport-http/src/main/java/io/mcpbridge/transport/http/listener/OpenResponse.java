package io.mcpbridge.transport.http.listener;

/** The response that a connection is busy with. */
interface OpenResponse {

    /** Writes a comment, which keeps a silent stream alive; any thread may call it. */
    default void comment() {}

    /** Called when the connection has ended; does nothing after the end of the response. */
    default void abandon() {}
}
