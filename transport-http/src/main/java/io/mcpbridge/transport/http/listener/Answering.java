package io.mcpbridge.transport.http.listener;

/** What a connection is busy with: the response to one request. */
interface Answering {

    /** Keeps a silent stream alive; any thread. */
    void comment();

    /** The connection is gone; harmless after the end. */
    void abandon();
}
