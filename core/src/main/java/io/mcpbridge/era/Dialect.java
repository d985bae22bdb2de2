package io.mcpbridge.era;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import java.util.List;

/**
 * Rewrites client requests for the protocol revision of one server, as the handshake or {@code server/discover} settled
 * it. Stateless, so any thread may use it.
 */
public interface Dialect {

    /** The revision that the server speaks. */
    ProtocolVersion version();

    /**
     * Returns the request to send to the server.
     *
     * @param wireId the bridge's id for the request; also replaces the progress token, if the request has one
     */
    Request encode(Request request, MessageId wireId, Caller caller);

    /**
     * The revisions with a handshake. The client declared its capabilities there, so only the id and the progress token
     * change, and the fields that a modern client sends with each request are removed.
     *
     * @param version a revision up to 2025-11-25
     */
    record LegacyDialect(ProtocolVersion version) implements Dialect {
        /** The fields that only servers of the modern era understand. */
        private static final List<MessageField> MODERN_FIELDS = List.of(
                MessageField.PROTOCOL_VERSION,
                MessageField.CLIENT_INFO,
                MessageField.CLIENT_CAPABILITIES,
                MessageField.LOG_LEVEL,
                MessageField.REQUEST_STATE,
                MessageField.INPUT_RESPONSES);

        @Override
        public Request encode(Request request, MessageId wireId, Caller caller) {
            var splice = request.splice().id(wireId);
            if (request.has(MessageField.PROGRESS_TOKEN)) {
                splice.replace(MessageField.PROGRESS_TOKEN, wireId.raw());
            }
            for (var part : MODERN_FIELDS) {
                if (request.has(part)) {
                    splice.remove(part);
                }
            }
            return (Request) splice.done();
        }
    }

    /**
     * The revisions without a handshake: {@code _meta} of each request contains its revision, its client, and the
     * capabilities of the client. Other members of {@code _meta} are kept.
     *
     * @param version a revision from 2026-07-28 on
     * @param ownInfo the bridge's own {@code clientInfo} as JSON, for callers that sent none
     * @param clientId the id that a daemon shows in its registry, or the empty string
     */
    record ModernDialect(ProtocolVersion version, String ownInfo, String clientId) implements Dialect {
        private static final String EMPTY = "{}";

        /**
         * {@inheritDoc}
         *
         * @throws IllegalStateException if the params are an array, which has no {@code _meta}
         */
        @Override
        public Request encode(Request request, MessageId wireId, Caller caller) {
            var splice = pingAsDiscover(request, wireId)
                    .splice()
                    .id(wireId)
                    .putMeta(MetaKeys.PROTOCOL_VERSION, JsonStrings.quote(version.text()))
                    .putMeta(MetaKeys.CLIENT_CAPABILITIES, capabilities(caller))
                    .putMeta(MetaKeys.CLIENT_INFO, caller.info().equals(EMPTY) ? ownInfo : caller.info());
            caller.logLevel()
                    .ifPresentOrElse(
                            level -> splice.putMeta(MetaKeys.LOG_LEVEL, JsonStrings.quote(level.text())),
                            () -> splice.remove(MessageField.LOG_LEVEL));
            if (request.has(MessageField.PROGRESS_TOKEN)) {
                splice.replace(MessageField.PROGRESS_TOKEN, wireId.raw());
            }
            if (!clientId.isEmpty()) {
                splice.putMeta(Caller.CLIENT_ID_KEY, JsonStrings.quote(clientId));
            }
            return (Request) splice.done();
        }

        /** Replaces {@code ping}, which the modern era does not have, by {@code server/discover}. */
        private static Request pingAsDiscover(Request request, MessageId wireId) {
            return request.method().equals(Methods.PING) ? Request.of(wireId, Methods.SERVER_DISCOVER) : request;
        }

        /**
         * A modern client's capabilities are passed on unchanged, for the server to interpret. For a legacy client,
         * only those are sent that allow servers to send it requests.
         */
        private static String capabilities(Caller caller) {
            return caller.era() == Era.MODERN ? caller.declared() : caller.capabilities();
        }
    }
}
