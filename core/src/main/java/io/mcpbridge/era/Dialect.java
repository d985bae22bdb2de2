package io.mcpbridge.era;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;

/** How one server wants its requests, as its handshake or its discovery settled it. Pure; any thread. */
public interface Dialect {

    /** The revision that is spoken. */
    ProtocolVersion version();

    /**
     * The request as the server gets it.
     *
     * @param wireId our id for it, which also becomes its progress token where it asks for progress
     */
    Request dress(Request request, MessageId wireId, Caller caller);
}
