package io.mcpbridge.transport.http.client;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.TransportFailure;

/** Hears what becomes of a post; one of the last three methods comes, once, unless it is withdrawn. */
interface PostOwner {

    /** Whether answers come on another stream than that of the request. */
    default boolean hearsAnswersElsewhere() {
        return false;
    }

    void written(Post post);

    void event(Post post, Message event);

    /** The server has taken a request, whose answer comes elsewhere. */
    default void taken(Post post) {}

    void accepted(Post post);

    void answered(Post post, Response answer);

    void failed(Post post, TransportFailure why);
}
