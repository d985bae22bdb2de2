package io.mcpbridge.era;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.EnvelopeKeys;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;

/**
 * The revisions without a handshake: each request says in its {@code _meta} which revision it is written in, who its
 * client is and what that client can be asked. Whatever else stands in {@code _meta} stays.
 *
 * @param version a revision from 2026-07-28 on
 * @param ownInfo the bridge's own {@code clientInfo} as JSON, for callers that have not said who they are
 * @param clientId the id that a daemon shows in its registry, or the empty string
 */
public record ModernDialect(ProtocolVersion version, String ownInfo, String clientId) implements Dialect {
    private static final String NOTHING_SAID = "{}";

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if its params are an array, which has no {@code _meta}
     */
    @Override
    public Request dress(Request request, MessageId wireId, Caller caller) {
        var splice = orSignOfLife(request, wireId)
                .splice()
                .id(wireId)
                .putMeta(EnvelopeKeys.PROTOCOL_VERSION, JsonText.quote(version.text()))
                .putMeta(EnvelopeKeys.CLIENT_CAPABILITIES, capabilities(caller))
                .putMeta(EnvelopeKeys.CLIENT_INFO, caller.info().equals(NOTHING_SAID) ? ownInfo : caller.info());
        caller.logLevel()
                .ifPresentOrElse(
                        level -> splice.putMeta(EnvelopeKeys.LOG_LEVEL, JsonText.quote(level.text())),
                        () -> splice.remove(Part.LOG_LEVEL));
        if (request.has(Part.PROGRESS_TOKEN)) {
            splice.replace(Part.PROGRESS_TOKEN, wireId.raw());
        }
        if (!clientId.isEmpty()) {
            splice.putMeta(Caller.CLIENT_ID_KEY, JsonText.quote(clientId));
        }
        return (Request) splice.done();
    }

    /** The modern era has no {@code ping}; there a server shows that it is alive by saying what it is. */
    private static Request orSignOfLife(Request request, MessageId wireId) {
        return request.method().equals(Methods.PING) ? Request.of(wireId, Methods.SERVER_DISCOVER) : request;
    }

    /** What a modern client declares is for the server to judge; of others only what can be asked is known. */
    private static String capabilities(Caller caller) {
        return caller.era() == Era.MODERN ? caller.declared() : caller.capabilities();
    }
}
