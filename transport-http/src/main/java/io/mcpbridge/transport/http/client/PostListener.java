package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.RequestFailure;

/** Receives the progress of a post. */
interface PostListener {

    /** Whether answers come on another stream than the response to their request. */
    default boolean hasSeparateAnswerStream() {
        return false;
    }

    default void written(PostRequest post) {}

    default void event(PostRequest post, Message event) {}

    /** Called when the server has accepted a request whose answer comes on another stream. */
    default void taken(PostRequest post) {}

    /** Called once, before one of the methods below, unless the post is cancelled. */
    void ended(PostRequest post);

    /** Called when the server has accepted a message that has no answer. */
    default void accepted(PostRequest post) {}

    default void answered(PostRequest post, Response answer) {}

    /** Called when what names this request is no message. */
    default void unreadable(PostRequest post, ProtocolException why) {}

    default void failed(PostRequest post, RequestFailure why) {}
}
