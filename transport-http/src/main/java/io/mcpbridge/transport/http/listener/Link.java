package io.mcpbridge.transport.http.listener;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The connection that a request came on. Any thread may use it. */
interface Link {

    Outbox outbox();

    /** From now on the connection is busy with this, until {@link #finished}. */
    void begun(Answering answering);

    /** The request was answered without anybody being told of it. */
    void answered();

    /** Where the client is; null once that cannot be told any more. */
    @Nullable
    SocketAddress client();

    /** The same for logs. */
    String address();

    /** What goes for the response to the request that is under way. */
    Manner manner();

    /** The response was handed to the channel; called on the event loop and without a lock, as the core hears more. */
    void finished(Answering answering);

    /** Ends the connection although the response is not complete. */
    void breakOff();

    /** The same, since there is no room for what the client has to get; that is noted. */
    void overflow();
}
