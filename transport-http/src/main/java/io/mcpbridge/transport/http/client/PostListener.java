package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.RequestFailure;

/** Receives the progress of a post. One of the last four methods is called, once, unless the post is cancelled. */
interface PostListener {

    /** Whether answers come on another stream than the response to their request. */
    default boolean hasSeparateAnswerStream() {
        return false;
    }

    void written(PostRequest post);

    void event(PostRequest post, Message event);

    /** Called when the server has accepted a request whose answer comes on another stream. */
    default void taken(PostRequest post) {}

    /** Called when the server has accepted a message that has no answer. */
    void accepted(PostRequest post);

    void answered(PostRequest post, Response answer);

    /** Called when what names this request is no message. */
    void unreadable(PostRequest post, ProtocolException why);

    void failed(PostRequest post, RequestFailure why);
}
