package io.mcpbridge.transport.http.listener;

/** The connection that an {@link HttpExchange} is on. Any thread may use it. */
interface Link {

    Outbox outbox();

    /** Whether the connection ends with this response. */
    boolean closesAfter();

    /** The response was handed to the channel; called on the event loop and without a lock, as the core hears more. */
    void finished(HttpExchange exchange);

    /** Ends the connection although the response is not complete. */
    void breakOff();
}
