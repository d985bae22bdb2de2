package io.mcpbridge.downstream.calls;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;

/** How a request is answered, which depends on the era that it is written in. Any thread. */
public interface Manner {

    /** Whether the client asked for messages like this one, which is no progress. */
    boolean wants(Notification event);

    /** The answer of a server as the client gets it. */
    Ending answered(Request asked, Response answer);

    /** What the client is told when there is no such answer. */
    Ending failed(Request asked, Failure failure, String correlationId);
}
