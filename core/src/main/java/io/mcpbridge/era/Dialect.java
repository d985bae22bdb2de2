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

    /**
     * The revisions that begin with {@code initialize}: capabilities were declared once, so a request changes only in its
     * id and its progress token, and loses what a modern client says with each request.
     *
     * @param version a revision up to 2025-11-25
     */
    record LegacyDialect(ProtocolVersion version) implements Dialect {
        /** The parts that only servers of the modern era understand. */
        private static final List<MessageField> ENVELOPE = List.of(
                MessageField.PROTOCOL_VERSION,
                MessageField.CLIENT_INFO,
                MessageField.CLIENT_CAPABILITIES,
                MessageField.LOG_LEVEL,
                MessageField.REQUEST_STATE,
                MessageField.INPUT_RESPONSES);

        @Override
        public Request dress(Request request, MessageId wireId, Caller caller) {
            var splice = request.splice().id(wireId);
            if (request.has(MessageField.PROGRESS_TOKEN)) {
                splice.replace(MessageField.PROGRESS_TOKEN, wireId.raw());
            }
            for (var part : ENVELOPE) {
                if (request.has(part)) {
                    splice.remove(part);
                }
            }
            return (Request) splice.done();
        }
    }

    /**
     * The revisions without a handshake: each request says in its {@code _meta} which revision it is written in, who its
     * client is and what that client can be asked. Whatever else stands in {@code _meta} stays.
     *
     * @param version a revision from 2026-07-28 on
     * @param ownInfo the bridge's own {@code clientInfo} as JSON, for callers that have not said who they are
     * @param clientId the id that a daemon shows in its registry, or the empty string
     */
    record ModernDialect(ProtocolVersion version, String ownInfo, String clientId) implements Dialect {
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
                    .putMeta(MetaKeys.PROTOCOL_VERSION, JsonStrings.quote(version.text()))
                    .putMeta(MetaKeys.CLIENT_CAPABILITIES, capabilities(caller))
                    .putMeta(MetaKeys.CLIENT_INFO, caller.info().equals(NOTHING_SAID) ? ownInfo : caller.info());
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

        /** The modern era has no {@code ping}; there a server shows that it is alive by saying what it is. */
        private static Request orSignOfLife(Request request, MessageId wireId) {
            return request.method().equals(Methods.PING) ? Request.of(wireId, Methods.SERVER_DISCOVER) : request;
        }

        /** What a modern client declares is for the server to judge; of others only what can be asked is known. */
        private static String capabilities(Caller caller) {
            return caller.era() == Era.MODERN ? caller.declared() : caller.capabilities();
        }
    }
}
